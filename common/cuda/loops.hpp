// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Two hints to nvcc that g++ does not know.
#pragma once

/// Before a loop of a kernel: nvcc unrolls it whole, or not at all.
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#define UNROLL
#define ROLLED
#endif

/// Before a kernel's parameter: references to it need no copy in the thread's own memory. GPUs
/// before compute capability 7.0 make the copy.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define GRID_CONSTANT
#else
#define GRID_CONSTANT __grid_constant__
#endif
