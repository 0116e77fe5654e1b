// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The piece that the tiled kernels share: one pixel of a tile, brought into shared memory.
//
//   left, top            the input pixel, or place on the border, under cell 0
//   |<- side cells ->|   side = tile + K - 1 where the halo is loaded too
//   cell = row * side + column
//
// Samples lie in one plane of floats for each channel: neighbouring threads read neighbouring
// words, so that no two of them want the same bank, and nothing is converted K^2 times.
#pragma once

#include <string>

#include "common/cuda/convolver.hpp"

extern __shared__ unsigned char dynamic_shared[];

namespace convolab {

inline __device__ float* shared_floats() { return reinterpret_cast<float*>(dynamic_shared); }

/// One thread's share of a load: all channels of one cell. Cells past the tile are nobody's.
template <class T>
__device__ void load_cell(float* s_planes, int side, int cell, int left, int top, const T* d_in,
                          const DeviceJob& job) {
    if (cell >= side * side) return;
    const int column = job.column(left + cell % side);
    const int row = job.row(top + cell / side);
    for (int c = 0; c < job.channels; ++c)
        s_planes[c * side * side + cell] =
            column < 0 || row < 0 ? job.outside
                                  : static_cast<float>(d_in[job.in_index(column, row, c)]);
}

/// Bytes of a tile of side x side pixels in planes of floats.
inline std::size_t tile_bytes(std::int64_t side, const Job& job) {
    return static_cast<std::size_t>(side * side * job.image().channels()) * sizeof(float);
}

/// B x B threads, one for each output pixel, and a tile of (B + K - 1)^2. Throws Unsupported where
/// the B^2 threads cannot load it in this many rounds; 0: any number.
inline LaunchShape output_tile(const Job& job, int most_rounds) {
    const int block = job.settings.block;
    const std::int64_t side = block + job.filter.ksize() - 1;
    const std::int64_t threads = static_cast<std::int64_t>(block) * block;
    if (most_rounds > 0 && side * side > most_rounds * threads)
        throw Unsupported("A tile of " + std::to_string(side) + " x " + std::to_string(side) +
                          " = " + std::to_string(side * side) +
                          " pixels (block + K - 1) cannot be loaded in " +
                          std::to_string(most_rounds) + " rounds of " + std::to_string(threads) +
                          " threads; use a larger block, a smaller filter, or n_batch.");
    return one_block_a_tile(job.out_width(), job.out_height(), block, block, tile_bytes(side, job));
}

/// (T + 2p)^2 threads, one for each input pixel of an output tile of T x T, T = the block setting.
inline LaunchShape input_and_halo(const Job& job, std::size_t more_bytes) {
    const int tile = job.settings.block;
    const int side = tile + 2 * job.filter.radius();
    if (side > 32)
        throw Unsupported(
            "An output tile of " + std::to_string(tile) + " x " + std::to_string(tile) +
            " needs a block of " + std::to_string(side) + " x " + std::to_string(side) +
            " threads (T + 2p), over the limit of 1024; use a smaller block setting.");
    return one_block_a_tile(job.out_width(), job.out_height(), tile, side,
                            tile_bytes(side, job) + more_bytes);
}

}  // namespace convolab
