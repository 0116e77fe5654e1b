#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# Runs the Catch2 programs given and Python's unittests, and closes with the sum: N passed, N failed,
# N skipped. A test that cannot run here prints a line "skipped: why" and counts as skipped.
set -u
passed=0 failed=0 skipped=0
export CONVOLAB_BUILD=$BUILD

count() {  # a number that follows or precedes a word in Catch2's closing line
    grep -oE "$1" <<<"$2" | tail -1 | grep -oE '[0-9]+' || echo 0
}
for program in "$@"; do
    name=${program#"$BUILD"/tests/}
    output=$("$program" 2>&1)
    code=$?
    closing=$(grep -E '^(All tests passed|test cases:)' <<<"$output" | tail -1)
    if [ -z "$closing" ]; then
        echo "$output" | tail -60
        echo "$name: ended with code $code before its tests did"
        failed=$((failed + 1))
        continue
    fi
    if [[ $closing == All* ]]; then
        ok=$(count 'in [0-9]+ test case' "$closing") bad=0
    else
        ok=$(count '^test cases:[^|]*\|[^|]*\| *[0-9]+ passed|[0-9]+ passed' "$closing")
        bad=$(count '[0-9]+ failed' "$closing")
    fi
    skips=$(grep -c '^skipped: ' <<<"$output")
    grep '^skipped: ' <<<"$output" | sort -u
    if [ "$code" -ne 0 ]; then
        echo "$output" | tail -100
        [ "$bad" -gt 0 ] || bad=1
    fi
    echo "$name: $((ok - skips)) passed, $bad failed, $skips skipped"
    passed=$((passed + ok - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
done

python_tests() {  # $1: folder; $2: the Python to use
    local output ran code bad skips
    output=$("$2" -m unittest discover -v -s "$1" -t . -p 'test_*.py' 2>&1)
    code=$?
    ran=$(grep -oE '^Ran [0-9]+ tests?' <<<"$output" | grep -oE '[0-9]+' || echo 0)
    bad=$(grep -cE '\.\.\. (FAIL|ERROR)$|^(FAIL|ERROR): ' <<<"$output")
    [ "$bad" -eq 0 ] || bad=$(grep -cE '^(FAIL|ERROR): ' <<<"$output")
    skips=$(grep -oE 'skipped=[0-9]+' <<<"$output" | grep -oE '[0-9]+' || echo 0)
    grep -oE "skipped '.*'|skipped \".*\"" <<<"$output" | sort -u
    if [ "$code" -ne 0 ] || [ "$ran" -eq 0 ]; then
        echo "$output" | tail -100
        [ "$bad" -gt 0 ] || bad=1
    fi
    echo "$1: $((ran - bad - skips)) passed, $bad failed, $skips skipped"
    passed=$((passed + ran - bad - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
}
if [ -z "${SANITIZED:-}" ]; then
    python=$(tools/find_python.sh 2>/dev/null || command -v python3)
    for folder in tests/driver tests/report tests/tools; do
        [ -d "$folder" ] && python_tests "$folder" "$python"
    done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
