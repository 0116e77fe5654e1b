#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make demo: the main job in short, 480p to 1080p and 10 iterations, in a folder of its own, so that its
# numbers never mix with those of the full protocol.
set -eu
demo="$BUILD/demo"
RESULTS="$demo/results" ITERATIONS=10 SIZES=480p,720p,1080p tools/bench.sh
RESULTS="$demo/results" QUICK=1 tools/verify.sh
python=$(tools/find_python.sh)
"$python" report/plots.py --results "$demo/results" --out "$demo/report"
"$python" report/plots.py --results "$demo/results" --summary
echo
echo "the report: $demo/report/report.md"
