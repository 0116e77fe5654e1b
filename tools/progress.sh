#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# progress.sh TOTAL: shows how far a make is that prints a line for each of at most TOTAL files: a line that is
# rewritten, or, where there is no terminal, one for each tenth.
total=$1 built=0 tenth=0
while IFS= read -r line; do
    [[ $line == "  "* ]] || { echo "$line"; continue; }
    built=$((built + 1))
    text=$(printf '[%3d %%] building' $((built >= total ? 100 : 100 * built / total)))
    if [ -t 1 ]; then
        printf '\r%s' "$text"
    elif [ $((10 * built / total)) -gt $tenth ]; then
        tenth=$((10 * built / total))
        echo "$text"
    fi
done
[ ! -t 1 ] || [ $built -eq 0 ] || echo
