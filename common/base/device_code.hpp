// SPDX-License-Identifier: MIT
// Marks a function that CPU and GPU share. Plain C++ compilers see an ordinary inline function.
#pragma once

#if defined(__CUDACC__) || defined(CUDA_ON_CPU)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif
