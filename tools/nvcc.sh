#!/bin/bash
# SPDX-License-Identifier: MIT
# Compiles the CUDA labs with nvcc, for sm_90 or $1, such as all-major; a warning is an error. Needs no GPU.
exec tools/progress.sh make --no-print-directory -j"$(nproc)" -f tools/build.mk WERROR=1 nvcc-check CUDA_ARCH="${1:-${CUDA_ARCH:-sm_90}}"
