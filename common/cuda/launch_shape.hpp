// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The shape of a launch, kernel<<<grid, block, shared_bytes>>>. B is the block setting.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/base/division.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;

    unsigned threads_per_block() const { return block.x * block.y * block.z; }
};

/// The number of blocks that cover the elements, at `per_block` elements per block.
constexpr unsigned blocks_for(std::int64_t elements, std::int64_t per_block) {
    return static_cast<unsigned>(ceil_divide(elements, per_block));
}

/// Blocks of side x side threads, one block for each tile x tile pixels of columns x rows. Throws
/// Unsupported where a block has more than 1024 threads.
LaunchShape one_block_per_tile(std::int64_t columns, std::int64_t rows, int tile, int side,
                               std::size_t shared_bytes = 0);

/// Blocks of B x B threads, one thread for each of columns x rows, or for each output pixel.
LaunchShape one_thread_each(const Job& job, std::int64_t columns, std::int64_t rows);
LaunchShape one_thread_per_pixel(const Job& job);

/// Bytes of a tile of side x side pixels in planes of floats.
std::size_t tile_bytes(const Job& job, std::int64_t side);

/// B x B threads, one for each output pixel, and a tile of (B + K - 1)^2 pixels. Throws Unsupported
/// where the B^2 threads cannot load it in max_rounds rounds; 0: no limit.
LaunchShape output_tile(const Job& job, int max_rounds);

/// (B + 2p)^2 threads, one for each pixel that an output tile of B x B needs.
LaunchShape tile_with_halo(const Job& job, std::size_t more_bytes = 0);

}  // namespace convolab
