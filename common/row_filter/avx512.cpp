// SPDX-License-Identifier: MIT
// AVX-512 F and BW.
#define KERNELS avx512_kernels
#include "common/row_filter/vectors64.hpp"
