// SPDX-License-Identifier: MIT
#pragma once

#include "source.hpp"

namespace cuda_on_cpu {

/// Marks a statement that throws the result of a call of CUDA away, at the function's name.
void mark_unchecked(Source& source, std::size_t at);

/// `extern __shared__ float a[]; extern __shared__ int b[];` are the same bytes. At the name of the
/// second: the name of the first, if the function uses an element of each after one of the other,
/// and neither from somewhere behind its beginning. Otherwise empty.
std::string same_dynamic_array(const Source& source, std::size_t at);

}  // namespace cuda_on_cpu
