#!/bin/bash
# SPDX-License-Identifier: MIT
# One task of `make slurm`: line number $SLURM_ARRAY_TASK_ID of tasks.txt. Its rows are in a separate file, and it
# continues from them. When its time is nearly up, or the program was killed, it goes back into the queue.
set -u
read -r name _ lab options < <(sed -n "${SLURM_ARRAY_TASK_ID}p" "$RESULTS/slurm/tasks.txt")
csv=$RESULTS/slurm/tasks/$name.csv
job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
echo "$(date -u +%FT%TZ) $name on $(hostname), start $((${SLURM_RESTART_COUNT:-0} + 1)): $options"

lines() { if [ -f "$csv" ]; then wc -l <"$csv"; else echo 0; fi; }
begun_with=$(lines)

again() {  # $1: why; $2: how often without a new row
    if [ "$(lines)" -le "$begun_with" ] && [ "${SLURM_RESTART_COUNT:-0}" -ge "$2" ]; then
        echo "error: $name: $1, and no row was finished; give it a longer TIME=, or see what ended it." >&2
        exit 1
    fi
    [ "$(squeue -h -j "$job" -o %T)" = RUNNING ] || exit 1  # it was cancelled
    echo "$name: $1; it goes back into the queue"
    scontrol requeue "$job"
    sleep 120  # Slurm ends it
}
time_is_up() {
    kill -TERM "$program"
    wait "$program"
    again "its time is up" 0
}
trap time_is_up USR1

common=(--iterations "$ITERATIONS" --warmup "$WARMUP" --data data/generated)
[ "$PINNING" = off ] && common+=(--no-pinning)
# shellcheck disable=SC2086  # the options are words without spaces
"$BUILD/labs/$lab/lab" bench "${common[@]}" --csv "$csv" $options </dev/null &
program=$!
wait "$program"
code=$?
[ $code -lt 128 ] || again "the program was killed (exit code $code)" 3
exit $code
