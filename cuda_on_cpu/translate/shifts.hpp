// SPDX-License-Identifier: MIT
// Shifts of device code. A GPU gives 0 for a shift by the width of its type, and C++ leaves it undefined:
//
//     a << b + 1     a << CUDA_ON_CPU_BY b + 1
//     a[i] >>= b     a[i] = CUDA_ON_CPU_SHIFTED(a[i]) >>= b
//
// include/shifts.hpp gives these a GPU's value. An operand need not be parsed for that, which C++ text does not allow without its types.
#pragma once

#include <cstddef>

#include "source.hpp"

namespace cuda_on_cpu {

/// At any token of a device function. What may be no shift stays, and a shift by a small number, which is right as it is.
void translate_shift(Source& source, std::size_t at);

}  // namespace cuda_on_cpu
