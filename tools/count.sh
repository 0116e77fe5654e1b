#!/bin/bash
# SPDX-License-Identifier: MIT
# make count: what the kernel of VARIANT asks of memory, for a picture (IMAGE, or the scene of SIZES) or a clip (VIDEO).
# ON_CPU: the folder of programs that are built for the CPU.
size=$SIZES
[ "$size" != all ] || size=480p
input=(--image "${IMAGE:-scene:$size}") ending=png
[ -z "$VIDEO" ] || { input=(--video "$VIDEO") ending=y4m; }
export CUDA_ON_CPU_COUNT_CSV=$CSV CUDA_ON_CPU_COUNT_PICTURE=$PICTURE
exec "$ON_CPU/counted/labs/$LAB/lab" run --variant "$VARIANT" "${input[@]}" --out "$ON_CPU/counted/out.$ending" "$@"
