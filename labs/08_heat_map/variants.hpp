// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::heat {

extern const Variant cpu, cpu_simd, cpu_threads, v1, v2, v3, grid, table;

}  // namespace convolab::heat
