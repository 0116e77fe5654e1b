// SPDX-License-Identifier: MIT
// CUDA on the CPU: a part of the CUDA runtime, for g++ and clang++, and what a C file needs of it. Found instead of NVIDIA's
// header with -I on this folder; README.md above it describes what the emulator does.
// CUDA_ON_CPU lets a program name its backend.
#pragma once

#ifndef CUDA_ON_CPU
#define CUDA_ON_CPU 1
#endif

#ifdef __NVCC__
#error "nvcc found the emulator: compile without -Icuda_on_cpu/include when nvcc is used"
#elif !defined(CUDA_ON_CPU_TRANSLATED)
// g++ and clang++ do not know kernel<<<grid, block>>>(): cuda_on_cpu/how_it_works.md
#error "compile what cuda_on_cpu/translate makes of this file, not the file itself"
#endif

#ifdef __cplusplus
#include "older_math.h"  // before all others
#endif

// By these, other headers know that CUDA's were included.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDARTAPI
#define CUDART_CB

#ifdef __cplusplus
#include <math.h>  // these as in CUDA's own

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "atomics.hpp"
#include "conversions.hpp"
#include "directed_rounding.hpp"
#include "errors.hpp"
#include "intrinsics.hpp"
#include "kernel_api.hpp"
#include "kernel_launch.hpp"
#include "keywords.hpp"
#include "lane_intrinsics.hpp"
#include "launch_syntax.hpp"
#include "math_functions.hpp"
#include "min_max.hpp"
#include "overlooked.hpp"
#include "packed_intrinsics.hpp"
#include "ptx_registers.hpp"
#include "runtime_api.hpp"
#include "textures.hpp"
#include "vector_types.hpp"
#include "warp.hpp"
#else  // a C file, which has no kernels
#include "runtime_api.hpp"
#endif
