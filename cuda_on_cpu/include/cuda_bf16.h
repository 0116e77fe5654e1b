// SPDX-License-Identifier: MIT
// bfloat16, two of them, conversions and arithmetic.
#pragma once

#include "cuda_runtime.h"
#include "half_bits.hpp"

#define CUDA_ON_CPU_T __nv_bfloat16
#define CUDA_ON_CPU_T2 __nv_bfloat162
#define CUDA_ON_CPU_NAMED(before, after) before##bfloat16##after
#include "half_type.inc"

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
inline nv_bfloat162 __bfloat162bfloat162(nv_bfloat16 a) { return {a, a}; }
