// SPDX-License-Identifier: MIT
// AVX-512 F, BW, ROW_FILTER_VNNI, whose multiply-add adds to a third operand, and VBMI, which takes any bytes
// of two vectors: each one instruction for two or three.
#define ROW_FILTER_KERNELS avx512vnni_kernels
#define ROW_FILTER_VNNI
#include "common/row_filter/vectors64.hpp"
