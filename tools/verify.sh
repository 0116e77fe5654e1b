#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make verify: every variant of every lab against the reference, the labs side by side; $RESULTS/verify.csv
# is replaced when all have been compared. QUICK=1: on a tenth of the pictures; SIZES other
# than all: only on the scene at these sizes.
set -u
mkdir -p "$RESULTS"
work=$(mktemp -d "$RESULTS/verify.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export work
options=(--pictures "$RESULTS/verify")
if [ -n "${QUICK:-}" ]; then
    options+=(--quick)
elif [ "$SIZES" != all ]; then
    options+=(--size "$SIZES")
fi
[ -n "$IMAGE" ] && options+=(--image "$IMAGE")

one_lab() {
    local lab=$1
    "$BUILD/labs/$lab/lab" verify --csv "$work/$lab.csv" "${@:2}" >"$work/$lab.log" 2>&1
    echo $? >"$work/$lab.code"
}
export -f one_lab
export BUILD
# shellcheck disable=SC2086
printf '%s\n' $LABS | xargs -P "$(nproc)" -I LAB bash -c 'one_lab "$@"' one_lab LAB "${options[@]}" &
wait $! || exit $?

failed=0
for lab in $LABS; do
    cat "$work/$lab.log"
    code=$(cat "$work/$lab.code")
    [ "$code" -le 1 ] || exit "$code"
    [ "$code" -eq 0 ] || failed=1
    if [ -s "$work/all.csv" ]; then
        tail -n +2 "$work/$lab.csv" >>"$work/all.csv"
    else
        cat "$work/$lab.csv" >>"$work/all.csv"
    fi
done
if [ ! -s "$work/all.csv" ]; then
    echo "error: Nothing was compared." >&2
    exit 1
fi
mv "$work/all.csv" "$RESULTS/verify.csv"
if [ $failed -eq 0 ]; then
    echo "every variant gives the bytes of the reference ($RESULTS/verify.csv)"
else
    echo "error: some outputs differ: $RESULTS/verify.csv, pictures in $RESULTS/verify/" >&2
fi
exit $failed
