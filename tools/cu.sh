#!/bin/bash
# SPDX-License-Identifier: MIT
# make cu: the program of the files in FILE on the CPU, with the arguments of this script; CHECK=1: its mistakes; COUNT=1: its accesses. FILE may contain several
# names, and a name may contain spaces: words are joined until a file has that name.
set -ufo pipefail
[ -n "$FILE" ] || { echo 'error: Say which: make cu FILE=prog.cu' >&2; exit 2; }
files=() name=
for word in $FILE; do
    name=${name:+$name }$word
    [[ -f $name || $name == -* ]] || continue
    files+=("$name")
    name=
done
[ ! -f "$FILE" ] || files=("$FILE") name=
[ -z "$name" ] || files+=("$name")  # cuda-on-cpu says that it is not there
tool=cuda_on_cpu/cuda-on-cpu
[ -z "${CHECK:-}" ] || [ -z "${COUNT:-}" ] || { echo 'error: CHECK and COUNT are both set; take one of them.' >&2; exit 2; }
[ -z "${CHECK:-}" ] || exec "$tool" check "${files[@]}" -- "$@"
[ -z "${COUNT:-}" ] || exec "$tool" count "${files[@]}" -- "$@"
program=${files[0]##*/}
program=$BUILD/cu/${program%.*}
mkdir -p "$BUILD/cu"
"$tool" "${files[@]}" -o "$program" && exec "$program" "$@"
