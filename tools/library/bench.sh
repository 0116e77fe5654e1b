#!/bin/bash
# SPDX-License-Identifier: MIT
# Times the library's Gpu and, if it is installed, NPP, on buffers as programs have them (sweep.txt): $RESULTS/library_sweep.csv.
# Needs a GPU. A run that was stopped continues. Settings come from the environment: ITERATIONS=10 tools/library/bench.sh
set -eu
export BUILD=build RESULTS=${RESULTS:-results} ITERATIONS=${ITERATIONS:-100} WARMUP=${WARMUP:-1} PINNING=${PINNING:-on}
tools/writable.sh
tools/progress.sh make --no-print-directory -j"$(nproc)" -f tools/build.mk library-bench
make --no-print-directory data
LABS=library exec tools/sweep.sh tools
