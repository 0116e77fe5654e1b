// SPDX-License-Identifier: MIT
// The bodies of functions for the device alone, which nvcc compiles with __CUDA_ARCH__ and as code
// of a GPU. In a function for both sides the host's branch is right.
#pragma once

#include <cstddef>

#include "source.hpp"

namespace cuda_on_cpu {

/// At `__global__` or `__device__`: in the function's body __CUDA_ARCH__ becomes a number, and
/// inline PTX what inline_ptx.hpp says.
void translate_device_code(Source& source, std::size_t at);

/// At __CUDA_ARCH__ outside of functions: a comparison chooses between functions for the device.
/// If the question is whether it is defined, the answer is the host's: no.
void translate_arch_outside(Source& source, std::size_t at);

/// At a variable or function for the device alone, outside of functions and classes: makes it
/// static.
void make_static(Source& source, std::size_t at);
/// What it writes. The attribute prevents a warning: a program that did not say static need not use it.
constexpr const char* of_this_file = "static __attribute__((unused)) ";

}  // namespace cuda_on_cpu
