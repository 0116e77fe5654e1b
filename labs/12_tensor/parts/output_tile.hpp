// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// From the sums of a warp to rows: each lane has two bytes of each of many columns of 8 bytes, and
// memory wants 16 bytes that lie together. One instruction (stmatrix) transposes the pairs of bytes
// into shared memory, where a column has 16 bytes, 8 of each output row; then a lane reads those of
// two columns and stores them.
//
// Column number i + 4 k, k = 0 .. 7, is written together with seven others, and column 2 q, q = 0 ..
// 7 or 8 .. 15, read together with seven others. column_at() gives each of them other banks.
#pragma once

#include "common/cuda/tensor_core.hpp"

namespace convolab::tensor_cores {

inline constexpr int kStripBytes = 256;  ///< of an output row, per warp
inline constexpr int kTileBytes = 2 * kStripBytes;

/// Where column `column`, 0 to 31, is in the tile.
__device__ __forceinline__ int column_at(int column) {
    const int q = column / 2;
    return 16 * (8 * (2 * (column / 16) + column % 2) + ((q ^ q / 8) & 7));
}

/// words[i]: the lane's pairs of bytes of columns 4 (2 t) + i and 4 (2 t + 1) + i.
__device__ __forceinline__ void put_columns(unsigned char* s_tile, const unsigned (&words)[4]) {
    const int lane = threadIdx.x;
    store_transposed(s_tile + column_at(lane / 8 + 4 * (lane % 8)), words);
}

/// A lane reads 16 bytes of output row tile_row(), from byte tile_byte() of the strip on.
__device__ __forceinline__ int tile_row() { return threadIdx.x / 8 % 2; }
__device__ __forceinline__ int tile_byte() { return 16 * (threadIdx.x % 8 + threadIdx.x / 16 * 8); }
__device__ __forceinline__ uint4 get_row(const unsigned char* s_tile) {
    const unsigned char* s_even = s_tile + column_at(tile_byte() / 8) + 8 * tile_row();
    const uint2 low = *reinterpret_cast<const uint2*>(s_even);
    const uint2 high = *reinterpret_cast<const uint2*>(s_even + 128);  // the odd column
    return make_uint4(low.x, low.y, high.x, high.y);
}

}  // namespace convolab::tensor_cores
