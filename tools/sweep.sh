#!/bin/bash
# SPDX-License-Identifier: MIT
# make sweep: the sweeps of the reports. Each line of a lab's sweep.txt is the options of one `lab
# bench`; the rows go to $RESULTS/<lab>_sweep.csv, and a run that was stopped continues. Without a GPU its
# variants are left out. tools/library/bench.sh: the same of tools/library.
set -u
folder=${1:-labs}
tools/writable.sh || exit 1
common=(--iterations "$ITERATIONS" --warmup "$WARMUP" --data data/generated --only-timed)
[ -n "${VERBOSE:-}" ] || common+=(--brief)
[ "$PINNING" = off ] && common+=(--no-pinning)

failed=0  # the lab says what and why
for lab in $LABS; do
    [ -f "$folder/$lab/sweep.txt" ] || continue
    while read -r line; do
        read -ra options <<<"${line%%#*}"
        [ ${#options[@]} -eq 0 ] && continue
        "$BUILD/$folder/$lab/lab" bench "${common[@]}" --csv "$RESULTS/${lab}_sweep.csv" "${options[@]}" </dev/null
        code=$?
        [ $code -le 1 ] || exit $code
        [ $code -eq 0 ] || failed=1
    done <"$folder/$lab/sweep.txt"
done
exit $failed
