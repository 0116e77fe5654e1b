// SPDX-License-Identifier: MIT
// Stops a kernel that never ends with cudaErrorLaunchTimeout and a message: if a thread has run for
// CUDA_ON_CPU_TIMEOUT seconds without returning or waiting at a barrier, or if no thread has
// returned for three times as long. The seconds are processor time, so a busy machine causes no
// timeout. Before that, a thread that seems to wait in a loop is interrupted, and the others of its
// block run.
#pragma once

namespace cuda_on_cpu {

/// Makes this CPU thread watch the kernels that it runs. It is cheap, because each launch calls it.
void watch_progress();
/// Makes this CPU thread watch itself while work waits in streams: if it runs without a call of CUDA,
/// it may wait in a loop for that work, which then runs. With an observer, accesses.cpp does that.
void watch_host();

}  // namespace cuda_on_cpu
