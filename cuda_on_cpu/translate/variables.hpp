// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "source.hpp"

namespace cuda_on_cpu {

/// At `__device__` or `__constant__` outside of functions and classes: behind a variable's
/// definition CUDA_ON_CPU_VARIABLE tells the emulator of it. In `__device__ int a, b;` b gets a
/// separate declaration, with `one_file` as make_static (device_code.hpp) would write it.
void name_variables(Source& source, std::size_t at, bool one_file);

}  // namespace cuda_on_cpu
