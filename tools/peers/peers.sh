#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the libraries of this folder whose headers are installed, and times them and Convolab: $RESULTS/peers.csv, which is
# replaced at the end. The options are those of peers.py: tools/peers/peers.sh --peers opencv,halide --sizes 1080p --threads 1
set -eu
export RESULTS=${RESULTS:-results}
tools/writable.sh
build=(make --no-print-directory -j"$(nproc)" -f tools/build.mk)
libraries=$("${build[@]}" peers-list)
times=("$(tools/find_python.sh)" tools/peers/peers.py --libraries build/peers --csv "$RESULTS/peers.csv")
"${times[@]}" "$@" --before "$libraries"
tools/progress.sh "${build[@]}" peers-libraries
exec "${times[@]}" "$@"
