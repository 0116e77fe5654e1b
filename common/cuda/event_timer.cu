// SPDX-License-Identifier: MIT
#include "common/cuda/stream.hpp"

namespace convolab {
namespace {

// Enough for the launches of one run; for a graph of hundreds of kernels that was not measured.
constexpr int kDelayUs = 100;

__global__ void delay(int microseconds) {
    for (int i = 0; i < microseconds; ++i) __nanosleep(1000);
}

}  // namespace

double event_ms(const std::function<void()>& work) {
    EventTimer timer;
    delay<<<1, 1>>>(kDelayUs);
    CUDA_CHECK(cudaGetLastError());
    timer.start();
    work();
    timer.stop();
    return static_cast<double>(timer.milliseconds());
}

}  // namespace convolab
