// SPDX-License-Identifier: MIT
// CUDA's other headers. An installed CUDA has them, too, but they do not fit the emulator's types.
#pragma once

#include <cstddef>

#include "source.hpp"
#include "translate.hpp"

namespace cuda_on_cpu {

/// At the `#` of an `#include`: a header whose contents the emulator has becomes cuda_runtime.h,
/// one that the emulator does not have becomes an #error. The program's own become their
/// translations if `headers` says where these are; others stay, and files beside the source.
void translate_include(Source& source, std::size_t at, Headers* headers);

}  // namespace cuda_on_cpu
