// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A kernel that never ends is stopped with cudaErrorLaunchTimeout, and told in words: when a thread
// has run for CUDA_ON_CPU_TIMEOUT seconds without returning or waiting at a barrier, or when for
// three times as long none has returned. Seconds of the processor, so that a busy machine is no
// reason. Before, a thread that seems to wait in a loop is interrupted, and the others of its block
// have their turn.
#pragma once

namespace cuda_on_cpu {

/// Makes this CPU thread watch the kernels that it runs; cheap, so at each launch.
void watch_progress();

}  // namespace cuda_on_cpu
