#!/bin/bash
# SPDX-License-Identifier: MIT
# make all: which labs are built, with what, and which of their files no main() names. $1: labs that are not built, $2: why.
if [ "$CUDA_BACKEND" = cuda ]; then
    mode='nvcc and a GPU: everything runs'
else
    mode="${NVCC:+nvcc and no GPU}${NVCC:-no nvcc}"
    mode="${mode%"$NVCC"}: CUDA labs run on the CPU and are checked, not timed"
fi
echo "labs: $LABS; $mode"
[ -z "$1" ] || echo "not built: $1: $2"
for lab in $LABS; do
    main=$(echo labs/"$lab"/main.c*)
    for file in labs/"$lab"/[0-9][0-9]_*.c*; do
        name=${file##*/??_} name=${name%.*}
        [[ ! -f $file || $(<"$main") =~ \&$name[^a-z0-9_] ]] || echo "note: $file is not used: $main does not name &$name" >&2
    done
done
