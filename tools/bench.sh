#!/bin/bash
# SPDX-License-Identifier: MIT
# make bench: runs the protocol lab by lab into $RESULTS/<lab>.csv. A run that was stopped continues. Of one lab, and with
# VERBOSE=1, every row is printed, of several one line each, and what failed.
set -u
tools/writable.sh || exit 1
options=(--iterations "$ITERATIONS" --warmup "$WARMUP")
[ -n "$IMAGE" ] && [ "$SIZES" = all ] || options+=(--size "$SIZES")  # a picture: at its own size
options+=(--data data/generated)
[ -n "${LAB:-}${VERBOSE:-}" ] || options+=(--brief)
[ "$PINNING" = off ] && options+=(--no-pinning)
[ -n "${VARIANT:-}" ] && options+=(--variant "$VARIANT")
[ -n "$IMAGE" ] && options+=(--image "$IMAGE")

failed=0  # the lab says what and why
for lab in $LABS; do
    "$BUILD/labs/$lab/lab" bench "${options[@]}" --csv "$RESULTS/$lab.csv"
    code=$?
    [ $code -ge 128 ] || [ $code -eq 2 ] && exit $code
    [ $code -eq 0 ] || failed=1
done
exit $failed
