#!/bin/bash
# SPDX-License-Identifier: MIT
# make profile: what a variant's kernel moves and executes, what its warps wait for and which pipes are busy, by Nsight
# Compute, into $RESULTS/profile/<lab>_<variant>_<size>.csv, and in words. With ARGS='--block 8 --ksize 3' the file's
# name ends with them: ..._block8_ksize3.csv. It contains the last launch of each kernel, except those that copy or poison
# memory or delay the device. The GPU's clocks are left as they are. CHECK=1: only whether there is ncu.
set -u
ncu=$(command -v ncu || ls /usr/local/cuda/bin/ncu 2>/dev/null)
if [ -z "$ncu" ]; then
    echo "error: Nsight Compute (ncu) is not installed; it is part of the CUDA Toolkit." >&2
    exit 1
fi
[ -z "${CHECK:-}" ] || exit 0
lab=$1 variant=$2
read -ra options <<<"${ARGS:-}"
words=$(tr -d ' ' <<<"${ARGS:-}")
out="$RESULTS/profile/${lab}_${variant}_$SIZE${words//--/_}.csv"
tools/writable.sh && mkdir -p "$RESULTS/profile" || exit 1
metrics=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum
metrics+=,dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,l1tex__throughput.avg.pct_of_peak_sustained_active,sm__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__warps_active.avg.pct_of_peak_sustained_active,launch__registers_per_thread
metrics+=,launch__shared_mem_per_block,smsp__inst_executed.sum
metrics+=,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics+=,l1tex__data_pipe_lsu_wavefronts.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__t_sector_hit_rate.pct
metrics+=,sm__issue_active.avg.pct_of_peak_sustained_elapsed,l1tex__m_l1tex2xbar_req_cycles_active.max.pct_of_peak_sustained_elapsed
for state in barrier branch_resolving dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar misc \
    mio_throttle no_instruction not_selected selected short_scoreboard sleeping tex_throttle wait; do
    metrics+=,smsp__average_warps_issue_stalled_${state}_per_issue_active.ratio
done
for pipe in adu alu cbu fma fp64 lsu tex uniform xu; do
    metrics+=,sm__inst_executed_pipe_$pipe.avg.pct_of_peak_sustained_active
done
metrics+=,sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed
metrics+=,sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active
for attribute in multiprocessor_count clock_rate memory_clock_rate global_memory_bus_width; do
    metrics+=,device__attribute_$attribute
done
if ! "$ncu" --csv --clock-control none --kernel-name "regex:^(?!.*(copy_16_bytes|delay|poison))" --metrics "$metrics" \
    "$BUILD/labs/$lab/lab" bench --variant "$variant" --size "$SIZE" --iterations 1 --warmup 1 \
    --kernel-only --data data/generated "${options[@]}" >"$out.new" 2>"$out.log"; then
    tail -qn 5 "$out.log" "$out.new" >&2
    rm -f "$out.new"
    echo "error: ncu could not profile $lab $variant; its output is in $out.log." >&2
    exit 1
fi
# A line begins with the launch's number; "Kernel Name" is the fifth column.
grep '^"' "$out.new" | awk -F'","' '
    NR == 1 { print; next }
    $5 !~ /copy_16_bytes|delay|poison/ { if ($5 in lines && launch[$5] != $1) lines[$5] = ""; launch[$5] = $1; lines[$5] = lines[$5] $0 "\n" }
    END { for (kernel in lines) printf "%s", lines[kernel] }' >"$out.csv" && mv "$out.csv" "$out" && rm -f "$out.new" "$out.log"
echo "$out"
"${PYTHON:-python3}" -m report.make.profile "$out"
