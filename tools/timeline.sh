#!/bin/bash
# SPDX-License-Identifier: MIT
# make timeline: begin and end of each copy and kernel of lab 06, or of LAB, in one run.
size=$SIZES
[ "$size" != all ] || size=8k
exec "$BUILD/labs/${LAB:-06_async_streams}/lab" timeline --size "$size" --frames 8 ${VARIANT:+--variant "$VARIANT"} \
    --csv "$RESULTS/timeline.csv"
