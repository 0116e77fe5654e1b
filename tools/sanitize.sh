#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make sanitize: compute-sanitizer's four tools over every variant of the CUDA labs, on small odd sizes, two
# block sides, K 3 and 5, and the border rules that have kernels of their own.
set -u
if [ "$CUDA_BACKEND" != cuda ]; then
    echo "error: compute-sanitizer needs a GPU and nvcc; on the CPU use 'make asan' and 'make races'." >&2
    exit 1
fi
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -z "$sanitizer" ]; then
    echo "error: compute-sanitizer is not installed; it is part of the CUDA Toolkit." >&2
    exit 1
fi
# Whether a lab has an option: labs that compare frames have no border or no filter.
has() { "$BUILD/labs/$1/lab" bench --plan --size 16x16 "${@:2}" >/dev/null 2>&1; }

failed=0
for tool in memcheck racecheck initcheck synccheck; do
    for lab in $LABS; do
        options=(--size 37x21,67x5 --iterations 1 --warmup 0 --block 8,16 --block-threads 7,64 --kernel 1,2 --filters 3)
        has "$lab" --ksize 3 && options+=(--ksize 3,5)
        borders=(none)
        has "$lab" --border valid && borders=(replicate valid renormalise)
        for border in "${borders[@]}"; do
            [ "$border" = none ] && with_border=() || with_border=(--border "$border")
            if output=$("$sanitizer" --tool "$tool" --error-exitcode 99 "$BUILD/labs/$lab/lab" bench \
                "${options[@]}" "${with_border[@]}" 2>&1); then
                echo "$tool $lab, border $border: clean ($(grep -c -E '% of (a copy|the bus)' <<<"$output") runs)"
            else
                echo "$output" | tail -40
                echo "error: $tool found faults in $lab with border $border." >&2
                failed=1
            fi
        done
    done
done
exit $failed
