#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make demo: the main job in short, 480p to 1080p and 10 iterations, in a folder of its own, so that its
# numbers never mix with those of the full protocol. What has not changed since is not done again.
set -eu
demo="$BUILD/demo"

is_verified() {
    local lab
    [ -f "$demo/verified" ] || return 1
    for lab in $LABS; do
        [ "$demo/verified" -nt "$BUILD/labs/$lab/lab" ] || return 1
    done
}

RESULTS="$demo/results" ITERATIONS=10 SIZES=480p,720p,1080p tools/bench.sh
if is_verified; then
    echo "every variant was verified already, and nothing has changed ($demo/results/verify.csv)"
else
    rm -f "$demo/verified"
    RESULTS="$demo/results" QUICK=1 tools/verify.sh
    touch "$demo/verified"
fi
python=$(tools/find_python.sh)
"$python" report/plots.py --results "$demo/results" --out "$demo/report"
"$python" report/plots.py --results "$demo/results" --summary
echo
echo "the report: $demo/report/report.md"
