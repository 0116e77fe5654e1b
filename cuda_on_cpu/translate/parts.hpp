// SPDX-License-Identifier: MIT
// The parts of the translation, each called at the token where it may begin.
#pragma once

#include <cstddef>
#include <string>

#include "source.hpp"
#include "translate.hpp"

namespace cuda_on_cpu {

// device_code.cpp: the bodies of functions for the device alone, which nvcc compiles with
// __CUDA_ARCH__ and as code of a GPU. In a function for both sides the host's branch is right.

/// At `__global__` or `__device__`: in the function's body __CUDA_ARCH__ becomes a number, and
/// inline PTX an assignment (translate_inline_ptx).
void translate_device_code(Source& source, std::size_t at);

/// At __CUDA_ARCH__ outside of functions: a comparison chooses between functions for the device.
/// If the question is whether it is defined, the answer is the host's: no.
void translate_arch_outside(Source& source, std::size_t at);

/// At a variable or function for the device alone, outside of functions and classes: makes it
/// static.
void make_static(Source& source, std::size_t at);
/// What it writes. The attribute prevents a warning: a program that did not say static need not use it.
constexpr const char* of_this_file = "static __attribute__((unused)) ";

/// At `__device__` or `__constant__` outside of functions and classes: behind a variable's
/// definition CUDA_ON_CPU_VARIABLE tells the emulator of it. In `__device__ int a, b;` b gets a
/// separate declaration, with `one_file` as make_static would write it.
void name_variables(Source& source, std::size_t at, bool one_file);

// includes.cpp: CUDA's other headers. An installed CUDA has them, too, but they do not fit the
// emulator's types.

/// At the `#` of an `#include`: a header whose contents the emulator has becomes cuda_runtime.h,
/// one that the emulator does not have becomes an #error. The program's own become their
/// translations if `headers` says where these are; others stay, and files beside the source.
void translate_include(Source& source, std::size_t at, Headers* headers);

// overlooked.cpp: statements that are easily wrong without a word (include/overlooked.hpp).

/// Marks a statement that throws the result of a call of CUDA away, at the function's name.
void mark_unchecked(Source& source, std::size_t at);

/// `&s[i]` as the first argument of an atomic function must be an element, at the function's name.
void check_element(Source& source, std::size_t at);

/// `extern __shared__ float a[]; extern __shared__ int b[];` are the same bytes. At the name of the
/// second: the name of the first, if the function uses an element of each after one of the other,
/// and neither from somewhere behind its beginning. Otherwise empty.
std::string same_dynamic_array(const Source& source, std::size_t at);

}  // namespace cuda_on_cpu
