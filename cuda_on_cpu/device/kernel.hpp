// SPDX-License-Identifier: MIT
// What a launch needs to know about its kernel.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

/// The dynamic shared memory that a launch may ask for: 48 KiB, or what cudaFuncSetAttribute
/// allows.
std::size_t dynamic_limit(const void* kernel);

}  // namespace cuda_on_cpu
