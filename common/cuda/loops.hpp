// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Hints to nvcc that g++ does not know.
#pragma once

/// Before a loop of a kernel: nvcc unrolls it completely (UNROLL) or not at all (ROLLED).
#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#else
#define UNROLL
#define ROLLED
#endif

/// Before a parameter of a kernel: references to it need no copy in the thread's local memory. GPUs
/// before compute capability 7.0 make that copy.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define GRID_CONSTANT
#else
#define GRID_CONSTANT __grid_constant__
#endif
