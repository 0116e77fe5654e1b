#!/bin/bash
# SPDX-License-Identifier: MIT
# make test: what it does and about how long that takes: as long as the last time (tests/tests.mk notes the seconds). In a clean clone
# the build takes 9 minutes of a CPU, and the tests, two at a time, 10 minutes.
took=${BUILD:-build}/tests_took.txt
if [ -n "${LAB:-}" ]; then
    echo "testing $LAB: its variants and its exercises, under a minute; without LAB= all tests"
elif [ -s "$took" ]; then
    echo "testing all: about $(($(<"$took") / 60 + 1)) min, as the last time, after what is to be built; LAB=01_sequential: one lab's tests"
else
    echo "testing all: about $((10 + 9 / $(nproc))) min on $(nproc) CPUs if nothing is built yet; LAB=01_sequential: one lab's tests"
fi
