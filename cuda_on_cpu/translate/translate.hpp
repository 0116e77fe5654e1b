// SPDX-License-Identifier: MIT
// CUDA source to C++ source: what of CUDA no macro can express. Everything else stays as it is,
// each line on its line.
//
//     blur<T><<<grid, block>>>(in, out)    CUDA_ON_CPU_LAUNCH(blur<T>)(grid, block)(in, out)
//     extern __shared__ float s_tile[];    float * const s_tile = ::cuda_on_cpu::dynamic_array;
//     cudaLaunchKernel((void*)blur, ...)   cudaLaunchKernel(CUDA_ON_CPU_PLACE("blur"), blur, ...)
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace cuda_on_cpu {

/// What cannot be translated: "file:line: why."
class TranslationError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A program's own headers, whose translations lie below one folder.
struct Headers {
    std::string folder;
    std::vector<std::string> search;  ///< -I
    /// nvcc's -rdc: variables and functions of the device have one name for all files. Without it
    /// each file has its own, so that two can include a header that defines them.
    bool one_name = false;
    std::vector<std::string> found;  ///< so far, each once; they are still to be translated
    bool is_c = false;  ///< the source is C, which has no kernels: only what it includes changes

    std::string translation_of(const std::string& header) const;
};

/// The C++ text of the CUDA text. `file` is named in messages of the compiler and of this function.
std::string translate(const std::string& text, const std::string& file, Headers* headers = nullptr);

}  // namespace cuda_on_cpu
