// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// two_pass_tile (videostream2021, to do list): two_pass with a tile in shared memory in each pass.
//
//   along: (B + K - 1) x B samples          down: B x (B + K - 1) row sums
//
// Idea: a sample is read from global memory once a block and converted to float once, not K times.
// Since two_pass: one loader a pass, one barrier a pass. The halo lies on two sides only: with
//   B = 16 and K = 5 a tile has 1.25 times the cells of its block; the square one of lab 05
//   has 1.56.
// What limits it: memory, as two_pass: the row sums still go out and come back.
// Alone: build/labs/07_separable/lab bench --variant two_pass,two_pass_tile --size 4k
#include "common/cuda/tile.hpp"
#include "labs/07_separable/passes.hpp"

namespace convolab::separable {
namespace {

__global__ void along_tile_kernel(const std::uint8_t* d_in, float* d_sums, DeviceJob job,
                                  LineTaps taps) {
    float* s_tile = shared_floats();  // [channel][row of B][column of B + K - 1]
    const int block = static_cast<int>(blockDim.x);
    const int side = block + job.ksize - 1;
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int left = static_cast<int>(blockIdx.x) * block + job.origin;
    const int y = static_cast<int>(blockIdx.y) * block + ty;  // of the input
    if (y < job.height)
        for (int column = tx; column < side; column += block)
            for (int c = 0; c < job.channels; ++c)
                s_tile[(c * block + ty) * side + column] =
                    sample_at(d_in, job, left + column, y, c);
    __syncthreads();

    const int x = static_cast<int>(blockIdx.x) * block + tx;  // of the output
    if (x >= job.out_width || y >= job.height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_row = s_tile + (c * block + ty) * side + tx;
        float sum = 0;
        for (int i = 0; i < job.ksize; ++i) sum += taps.row[i] * s_row[i];
        d_sums[job.out_index(x, y, c)] = sum;
    }
}

__global__ void down_tile_kernel(const float* d_sums, std::uint8_t* d_out, DeviceJob job,
                                 LineTaps taps) {
    float* s_tile = shared_floats();  // [channel][row of B + K - 1][column of B]
    const int block = static_cast<int>(blockDim.x);
    const int side = block + job.ksize - 1;
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * block + tx;
    const int top = static_cast<int>(blockIdx.y) * block + job.origin;
    if (x < job.out_width)
        for (int row = ty; row < side; row += block)
            for (int c = 0; c < job.channels; ++c)
                s_tile[(c * side + row) * block + tx] =
                    row_sum_at(d_sums, job, taps, x, top + row, c);
    __syncthreads();

    const int y = static_cast<int>(blockIdx.y) * block + ty;
    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        const float* s_column = s_tile + (c * side + ty) * block + tx;
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j) sum += taps.column[j] * s_column[j * block];
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

std::unique_ptr<Convolver> make(const Job& job) {
    const std::size_t block = job.settings.block;
    const std::size_t bytes =
        block * (block + job.filter.ksize() - 1) * job.image().channels() * sizeof(float);
    return std::make_unique<TwoPasses>(job, along_tile_kernel, bytes, down_tile_kernel, bytes);
}

}  // namespace

extern const Variant two_pass_tile;
const Variant two_pass_tile{
    .name = "two_pass_tile",
    .idea = "two_pass with a tile in shared memory in each pass",
    .make = make,
    .uses = kUsesBlock,
    .types = {PixelType::uint8},
    .memory = TwoPasses::memory,
};

}  // namespace convolab::separable
