#!/bin/bash
# SPDX-License-Identifier: MIT
# progress.sh MAKE ARGUMENT...: runs a make that builds. It says first how many files there are to build and about how
# long that takes, then how far it is: "file 12 of 155", in a line that is rewritten or, without a terminal, for each tenth.
set -o pipefail
# `make -n` and V=1 show the commands themselves.
[[ -z ${V:-} && ! ${MAKEFLAGS%% *} =~ ^[A-Za-z]*n ]] || exec "$@"

# NOW=+: what decides which files are old is looked at although nothing is built. A file that nvcc compiles counts as three.
read -r total compiled < <("$@" -n NOW=+ 2>/dev/null | awk '
    /^echo '"'  "'/ { total++ }
    /^echo '"'  .* -(c|cubin) "'/ { compiled += / -ccbin .* -c / ? 3 : 1 }
    END { print total + 0, compiled + 0 }')
[ "$total" -gt 0 ] || exec "$@"

words() { [ "$1" -lt 60 ] && echo "$1 s" || echo "$(($1 / 60)) min $(($1 % 60)) s"; }
now() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }  # ms
if [ "$compiled" -ge 10 ]; then
    begun=$(now)
    "${CXX:-g++}" -std=c++20 -O1 -x c++ -c - -o /dev/null 2>/dev/null <<<'#include <iostream>
#include <map>
int main() { std::map<int, int> m; std::cout << m[1]; }'
    # A file of the project takes about five times as long as this one.
    jobs=$(grep -oE -- '-j *[0-9]+' <<<"$* ${MAKEFLAGS:-}" | head -1 | tr -dc 0-9)
    [ "${jobs:-1}" -le "$(nproc)" ] || jobs=$(nproc)
    seconds=$((5 * compiled * ($(now) - begun) / 1000 / ${jobs:-1} + 1))
    echo "building $total files, about $(words $seconds)"
fi
"$@" | {
    built=0 tenth=0 begun=$SECONDS
    while IFS= read -r line; do
        [[ $line =~ ^"  "[^\ ]+$ ]] || { echo "$line"; continue; }
        built=$((built + 1))
        text="file $built of $total"
        [ $((SECONDS - begun)) -lt 5 ] || text+=", about $(words $(((SECONDS - begun) * (total - built) / built))) left"
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$text"
        elif [ $((10 * built / total)) -gt $tenth ]; then
            tenth=$((10 * built / total))
            echo "$text"
        fi
    done
    [ ! -t 1 ] || [ $built -eq 0 ] || echo
}
