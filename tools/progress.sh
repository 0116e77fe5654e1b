#!/bin/bash
# SPDX-License-Identifier: MIT
# progress.sh MAKE ARGUMENT...: runs a make that builds. It says first how many files there are to build, then how far it
# is: "file 12 of 155, about 2 min left", in a line that is rewritten or, without a terminal, for each tenth; at the end
# "built 155 files".
set -o pipefail
# Two that build at the same time would write the same files. The lock is the folder itself.
exec 9<.
flock -n -E 75 9 2>/dev/null
[ $? -ne 75 ] || { echo "waiting for another make that builds here"; flock 9; }
# `make -n` and V=1 show the commands themselves.
[[ -z ${V:-} && ! ${MAKEFLAGS%% *} =~ ^[A-Za-z]*n ]] || exec "$@"

# NOW=+: what decides which files are old is looked at although nothing is built.
total=$("$@" -n NOW=+ 2>/dev/null | grep -c '^echo '"'  ")
[ "$total" -gt 0 ] || exec "$@"
[ "$total" -lt 10 ] || echo "building $total files"
"$@" | {
    built=0 tenth=0 begun=$SECONDS
    while IFS= read -r line; do
        [[ $line =~ ^"  "[^\ ]+$ ]] || { echo "$line"; continue; }
        built=$((built + 1)) spent=$((SECONDS - begun))
        text="file $built of $total"
        [ $spent -lt 20 ] || text+=", about $((spent * (total - built) / built / 60 + 1)) min left"
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$text"
        elif [ $((10 * built / total)) -gt $tenth ] && [ $built -lt "$total" ]; then
            tenth=$((10 * built / total))
            echo "$text"
        fi
    done
    [ ! -t 1 ] || [ $built -eq 0 ] || printf '\r\033[K'
}
code=$?
[ $code -ne 0 ] || echo "built $total file$([ "$total" -eq 1 ] || echo s)"
exit $code
