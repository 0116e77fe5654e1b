#!/bin/bash
# SPDX-License-Identifier: MIT
# make sweep: the sweeps of the reports. Each line of a lab's sweep.txt is the options of one `lab
# bench`; the rows go to $RESULTS/<lab>_sweep.csv, and a run that was stopped continues. Without a GPU its
# variants are left out. make bench-library: the same of tools/library.
set -u
folder=${1:-labs}
tools/writable.sh || exit 1
common=(--iterations "$ITERATIONS" --warmup "$WARMUP" --data data/generated --only-timed)
[ "$PINNING" = off ] && common+=(--no-pinning)

each_line() {  # calls $1 with the lab and the options of each line
    local lab line options
    for lab in $LABS; do
        [ -f "$folder/$lab/sweep.txt" ] || continue
        while read -r line; do
            read -ra options <<<"${line%%#*}"
            [ ${#options[@]} -eq 0 ] && continue
            "$1" "$lab" "${options[@]}" || return $?
        done <"$folder/$lab/sweep.txt"
    done
}

echo "trying each configuration on small pictures, to say how long all take" >&2
total=0
plan() {
    local seconds
    seconds=$("$BUILD/$folder/$1/lab" bench "${common[@]}" --csv "$RESULTS/$1_sweep.csv" --plan "${@:2}") || return $?
    total=$((total + seconds))
}
failed=0  # the lab says what and why
bench() {
    "$BUILD/$folder/$1/lab" bench "${common[@]}" --csv "$RESULTS/$1_sweep.csv" "${@:2}" </dev/null
    local code=$?
    [ $code -eq 1 ] && failed=1 && return 0
    return $code
}
each_line plan || exit $?
echo "expected time of all sweeps: $((total / 60)) min $((total % 60)) s; ITERATIONS= shortens them" >&2
each_line bench || exit $?
exit $failed
