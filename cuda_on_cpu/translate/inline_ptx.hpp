// SPDX-License-Identifier: MIT
// Inline PTX, the code of a GPU, in functions for the device.
#pragma once

#include <cstddef>

#include "source.hpp"

namespace cuda_on_cpu {

/// At `asm`: what reads one special register, include/ptx_registers.hpp, becomes an assignment,
///
///     asm("mov.u32 %0, %%laneid;" : "=r"(lane));      (lane) = ::cuda_on_cpu::ptx::laneid();
///
/// and everything else an error.
void translate_inline_ptx(Source& source, std::size_t at);

}  // namespace cuda_on_cpu
