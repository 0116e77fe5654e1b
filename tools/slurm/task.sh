#!/bin/bash
# SPDX-License-Identifier: MIT
# One task of an array of jobs: everything that one lab measures. Each task builds its lab in a separate folder, on the machine
# that computes, since other tasks build at the same time. The arguments are settings for make.
set -u
lab=$(basename labs/"$(printf %02d "$SLURM_ARRAY_TASK_ID")"_*)
echo "$(date -u +%FT%TZ) $lab on $(hostname)"
failed=0
for verb in bench sweep; do
    make --no-print-directory "$verb" LAB="$lab" BUILD="build/slurm/$lab" RESULTS=results/slurm "$@" || failed=1
done
exit $failed
