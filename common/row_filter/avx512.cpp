// SPDX-License-Identifier: MIT
// AVX-512 F and BW.
#define ROW_FILTER_KERNELS avx512_kernels
#include "common/row_filter/vectors64.hpp"
