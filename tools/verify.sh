#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make verify: every variant of every lab against the reference; $RESULTS/verify.csv is replaced when
# all labs have been compared. QUICK=1: on a tenth of the pictures.
set -u
mkdir -p "$RESULTS"
new="$RESULTS/verify.csv.new"
rm -f "$new"
options=(--csv "$new" --pictures "$RESULTS/verify")
[ -n "${QUICK:-}" ] && options+=(--quick)
[ -n "$IMAGE" ] && options+=(--image "$IMAGE")
failed=0
for lab in $LABS; do
    "$BUILD/labs/$lab/lab" verify "${options[@]}"
    code=$?
    if [ $code -gt 1 ]; then
        rm -f "$new"
        exit $code
    fi
    [ $code -eq 0 ] || failed=1
done
if [ ! -s "$new" ]; then
    echo "error: Nothing was compared." >&2
    exit 1
fi
mv "$new" "$RESULTS/verify.csv"
if [ $failed -eq 0 ]; then
    echo "every variant gives the bytes of the reference ($RESULTS/verify.csv)"
else
    echo "error: some outputs differ: $RESULTS/verify.csv, pictures in $RESULTS/verify/" >&2
fi
exit $failed
