// SPDX-License-Identifier: MIT
// The GPU as the driver sees it. Compiled with cuda_on_cpu/ it is the emulator, whose rows have
// no times.
#pragma once

#include "common/variant/backend.hpp"

namespace convolab {

/// The first CUDA device. The call never throws, so that a lab's list can be printed anywhere.
Backend& gpu_backend();

/// Throws Skipped, with one sentence, where nothing can run: no device, a driver older than the
/// program, or a program without machine code for this GPU.
void require_gpu();

}  // namespace convolab
