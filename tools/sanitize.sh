#!/bin/bash
# SPDX-License-Identifier: MIT
# make sanitize: compute-sanitizer's four tools over every variant of the CUDA labs, on small odd sizes (the one of 85
# pixels has a border where two warps meet), two block sides, K 3, 5 and 7, the border rules that have separate
# kernels, and a box. $RESULTS/sanitize.csv, one row per tool, lab and border, is replaced at the end. CHECK=1: only whether
# it can run here.
set -u
if [ "$CUDA_BACKEND" != cuda ]; then
    echo "error: compute-sanitizer needs a GPU and nvcc; on the CPU use 'make asan' and 'make check'." >&2
    exit 1
fi
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -z "$sanitizer" ]; then
    echo "error: compute-sanitizer is not installed; it is part of the CUDA Toolkit." >&2
    exit 1
fi
[ -z "${CHECK:-}" ] || exit 0
tools/writable.sh && work=$(mktemp -d "$RESULTS/sanitize.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
read -r revision _ <"$BUILD/revision.txt"
device=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)
export work BUILD sanitizer revision device

# Whether a lab has an option: labs that compare frames have no border or no filter.
has() { "$BUILD/labs/$1/lab" bench --count "${@:2}" >/dev/null 2>&1; }

one_job() {  # $1: tool, $2: lab, $3: border, box or none, the rest: options
    local tool=$1 lab=$2 border=$3 output code runs
    output=$("$sanitizer" --tool "$tool" --target-processes all --error-exitcode 99 "$BUILD/labs/$lab/lab" bench "${@:4}" 2>&1)
    code=$?
    runs=$(grep -c -E '% of (a copy|the bus)' <<<"$output")
    local status=failed
    [ $code -ne 0 ] || status=$([ "$runs" -eq 0 ] && echo nothing || echo ok)
    echo "$lab,$tool,$border,$runs,$status,$device,$revision,$(date -u +%FT%TZ)" >"$work/$lab,$tool,$border"
    if [ $status = ok ]; then
        echo "$tool $lab, border $border: clean ($runs runs)"
    elif [ $status = nothing ]; then
        echo "$tool $lab, border $border: no variant takes this"
    else
        printf '%s\n' "$(tail -40 <<<"$output")" "error: $tool found faults in $lab with border $border." >&2
    fi
}
export -f one_job

for lab in $CUDA_LABS; do
    options=(--size 37x21,67x5,85x5 --iterations 1 --warmup 0 --time-limit 600 --block 8,16 --block-threads 7,64 --kernel 1,2 --filters 3 --ranks 2)
    [ -z "${VARIANT:-}" ] || options+=(--variant "$VARIANT")
    has "$lab" --ksize 3 && options+=(--ksize 3,5,7)  # with 7 the ring of lab 12 is filled again
    cases=(none)
    has "$lab" --border valid && cases=("replicate --border replicate" "valid --border valid" "renormalise --border renormalise")
    has "$lab" --filter box && cases+=("box --filter box")  # the others have a Gaussian
    for case in "${cases[@]}"; do
        for tool in memcheck racecheck initcheck synccheck; do
            echo "$tool $lab $case ${options[*]}"
        done
    done
done | xargs -P "$((($(nproc) + 1) / 2))" -L 1 bash -c 'one_job "$@"' one_job &
wait $! || exit $?

{
    echo "lab,tool,border,runs,status,device,revision,date"
    cat "$work"/*,*
} >"$work/all.csv" && mv "$work/all.csv" "$RESULTS/sanitize.csv"
nothing=$(awk -F, 'NR > 1 { runs[$2 " " $1] += $4 } END { for (job in runs) if (!runs[job]) print job }' "$RESULTS/sanitize.csv" | head -1)
if [ -n "$nothing" ]; then
    echo "error: ${nothing%% *} ran nothing of ${nothing##* }: no variant takes these options." >&2
    exit 1
fi
if grep -q ',failed,' "$RESULTS/sanitize.csv"; then
    echo "error: some kernels have faults ($RESULTS/sanitize.csv)" >&2
    exit 1
fi
echo "no fault in any kernel ($RESULTS/sanitize.csv)"
