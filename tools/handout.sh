#!/bin/bash
# SPDX-License-Identifier: MIT
# make handout OUT=folder: the files of the last commit without the solutions of the exercises.
set -eu
out=$1
[ -n "$out" ] || { echo "error: Say where to: make handout OUT=../handout" >&2; exit 2; }
[ ! -e "$out" ] || { echo "error: OUT is '$out', and it exists; choose a new folder." >&2; exit 2; }
[ -d "$(dirname "$out")" ] || { echo "error: OUT is '$out', and there is no folder $(dirname "$out")." >&2; exit 2; }
[ -e .git ] || { echo "error: make handout needs the git repository, and this folder is not its top: use a clone." >&2; exit 1; }
words=$(git rev-parse -q --verify HEAD 2>&1) || { echo "error: make handout needs the git repository. $words" >&2; exit 1; }
unfinished=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
git archive HEAD -- . ':(exclude)solutions' ':(exclude)tools/handout.sh' ':(exclude)tests/tools/test_exercises.py' \
    ':(exclude)TEACHING.md' |
    tar -x -C "$unfinished"
# What only a teacher needs: lines with the mark <!-- teachers -->, and what stands from `teachers: begin` to `teachers: end`.
wrong() { echo "error: $1" >&2; exit 1; }
for page in Makefile README.md CONTRIBUTING.md; do
    text=$unfinished/$page
    [ "$(grep -c 'teachers: begin' "$text")" = "$(grep -c 'teachers: end' "$text")" ] ||
        wrong "$page has not as many lines 'teachers: end' as 'teachers: begin'."
    sed -i '/teachers: begin/,/teachers: end/d; /<!-- teachers -->/d' "$text"
    ! left=$(grep -m1 -iE 'TEACHING|solutions/|handout|add an exercise' "$text") ||
        wrong "$page names what a handout does not have; mark it with <!-- teachers -->, or 'teachers: begin' and 'teachers: end': $left"
done
chmod 755 "$unfinished"
mv "$unfinished" "$out"
echo "$out: $(git rev-parse --short HEAD) without solutions/"
