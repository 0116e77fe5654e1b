// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// CUDA source to C++ source: the two constructs of CUDA that no macro can express. Everything else
// stays as it is, each line on its line.
//
//     blur<T><<<grid, block>>>(in, out)    CUDA_ON_CPU_LAUNCH(blur<T>)(grid, block)(in, out)
//     extern __shared__ float s_tile[];    float * const s_tile = ::cuda_on_cpu::dynamic_array;
#pragma once

#include <stdexcept>
#include <string>

namespace cuda_on_cpu {

/// What cannot be translated: "file:line: why."
class TranslationError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The C++ text of the CUDA text. `file` is named in messages of the compiler and of this function.
std::string translate(const std::string& text, const std::string& file);

}  // namespace cuda_on_cpu
