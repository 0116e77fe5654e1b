#!/bin/bash
# SPDX-License-Identifier: MIT
# make check: runs the lab PROGRAM, whose page of VARIANT tells of its accesses. The threads run in a random order, on two devices:
# so a missing barrier or wait changes the bytes, too.
export CUDA_ON_CPU_ORDER=random:1 CUDA_ON_CPU_DEVICES=2
found=$(mktemp) || exit 1
trap 'rm -f "$found"' EXIT
("$PROGRAM" verify --quick --repeated --variant "$VARIANT" 2>&1 >&3 | tee "$found" |
    sed -uE '/^CUDA on the CPU: /{ s/ Causes: /\nUsual causes:\n  - /; s/ \| /\n  - /g; s/ (Remedy: )/\n\1/ }' >&2
    exit "${PIPESTATUS[0]}") 3>&1
code=$?
if grep '^CUDA on the CPU: ' "$found" | grep -qv '^CUDA on the CPU: note: '; then exit 1; fi
[ $code -ne 0 ] || echo "$LAB $VARIANT: nothing found."
exit $code
