// SPDX-License-Identifier: MIT
// half and half2: conversions and arithmetic.
#pragma once

#include "cuda_runtime.h"
#include "half_bits.hpp"

#define CUDA_ON_CPU_T __half
#define CUDA_ON_CPU_T2 __half2
#define CUDA_ON_CPU_NAMED(before, after) before##half##after
#include "half_type.inc"

using half = __half;
using half2 = __half2;
inline half2 __half2half2(half a) { return {a, a}; }
