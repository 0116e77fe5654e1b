#!/bin/bash
# SPDX-License-Identifier: MIT
# make check: runs the lab PROGRAM, whose page of VARIANT tells of its accesses, and shows its mistakes. The threads run in a random
# order, on two devices: so a missing barrier or wait changes the bytes, too.
export CUDA_ON_CPU_ORDER=random:1 CUDA_ON_CPU_DEVICES=2
exec "$JUDGE" --once "$LAB $VARIANT" "$PROGRAM" verify --quick --repeated --variant "$VARIANT"
