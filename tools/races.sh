#!/bin/bash
# SPDX-License-Identifier: MIT
# make races: the CUDA labs on the CPU, with the threads and blocks run forwards, backwards and in random
# orders, and on two devices. A kernel that misses a barrier, or whose blocks depend on each other, gives wrong
# bytes in one; so does a device that does not wait for the other.
set -u
export CUDA_ON_CPU_DEVICES=2
failed=
for order in forward reverse random:1 random:2; do
    for lab in $LABS; do
        [[ " $failed " != *" $lab "* ]] || continue  # it prints the same in each order
        if ! output=$(CUDA_ON_CPU_ORDER=$order "$BUILD/labs/$lab/lab" verify --quick ${VARIANT:+--variant "$VARIANT"} 2>&1); then
            echo "$output"
            [[ $output != "error: Option --variant"* ]] || exit 2
            echo "error: $lab differs from the reference with threads in the order '$order'." >&2
            failed+=" $lab"
        else
            echo "$lab, order $order: identical"
        fi
    done
done
[ -z "$failed" ]
