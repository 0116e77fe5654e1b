// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// two_pass (videostream2021, to do list): along the rows, then down the columns.
//
// Idea: a filter that is the outer product of a column and a row needs 2K multiply-adds a sample
//   instead of K^2. The first kernel writes the row sums to global memory, the second reads them.
// Since lab 05: 10 taps instead of 25 for 5x5, and no shared memory: neighbours find each other's
//   samples in the L1 cache.
// What limits it: memory. A sample was read as one byte and written as one; now 4 bytes of row sum
//   are written and read again besides: 10 bytes instead of 2, more than half of them past the L2
//   cache where the image is large.
// Alone: build/labs/07_separable/lab bench --variant two_pass --ksize 3,5,7,9 --size 4k
#include "labs/07_separable/passes.hpp"

namespace convolab::separable {
namespace {

__global__ void along_kernel(const std::uint8_t* d_in, float* d_sums, DeviceJob job,
                             LineTaps taps) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);  // of the output
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);  // of the input
    if (x >= job.out_width || y >= job.height) return;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int i = 0; i < job.ksize; ++i)
            sum += taps.row[i] * sample_at(d_in, job, x + job.origin + i, y, c);
        d_sums[job.out_index(x, y, c)] = sum;
    }
}

__global__ void down_kernel(const float* d_sums, std::uint8_t* d_out, DeviceJob job,
                            LineTaps taps) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            sum += taps.column[j] * row_sum_at(d_sums, job, taps, x, y + job.origin + j, c);
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

std::unique_ptr<Convolver> make(const Job& job) {
    return std::make_unique<TwoPasses>(job, along_kernel, 0, down_kernel, 0);
}

}  // namespace

extern const Variant two_pass;
const Variant two_pass{
    .name = "two_pass",
    .idea = "2K taps instead of K^2: along the rows, then down the columns, through global memory",
    .make = make,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = TwoPasses::memory,
};

}  // namespace convolab::separable
