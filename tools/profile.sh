#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make profile: bytes through device memory, occupancy and what limits a variant's kernel, by Nsight Compute,
# into $RESULTS/profile/<lab>_<variant>_<size>.csv. The GPU's clocks are left as they are.
set -u
lab=$1 variant=$2
ncu=$(command -v ncu || ls /usr/local/cuda/bin/ncu 2>/dev/null)
if [ -z "$ncu" ]; then
    echo "error: Nsight Compute (ncu) is not installed; it is part of the CUDA Toolkit." >&2
    exit 1
fi
out="$RESULTS/profile/${lab}_${variant}_$SIZE.csv"
mkdir -p "$RESULTS/profile"
metrics=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum
metrics+=,dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,l1tex__throughput.avg.pct_of_peak_sustained_active,sm__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__warps_active.avg.pct_of_peak_sustained_active,launch__registers_per_thread
metrics+=,launch__shared_mem_per_block,smsp__inst_executed.sum
if ! "$ncu" --csv --clock-control none --metrics "$metrics" --launch-skip 4 --launch-count 1 \
    "$BUILD/labs/$lab/lab" bench --variant "$variant" --size "$SIZE" --iterations 3 --warmup 3 \
    --data data/generated >"$out.new" 2>"$out.log"; then
    tail -5 "$out.log" "$out.new" >&2
    rm -f "$out.new"
    echo "error: ncu could not profile $lab $variant; its output is in $out.log." >&2
    exit 1
fi
grep '^"' "$out.new" >"$out" && rm -f "$out.new" "$out.log"
echo "$out"
