#!/bin/bash
# Copyright (c) 2026 The Convolab authors
# SPDX-License-Identifier: MIT
#
# make test: what it does and about how long that takes. A clean clone needs 20 minutes of a CPU.
if [ -n "${LAB:-}" ]; then
    echo "testing $LAB: its variants and its exercises, under a minute; without LAB= all tests"
else
    echo "testing all: about $((20 / $(nproc) + 1)) min on $(nproc) CPUs if nothing is built yet; LAB=01_sequential: one lab's tests"
fi
