// SPDX-License-Identifier: MIT
// Brings the sums of a warp into rows. Each lane holds two bytes of each of many columns of 8
// bytes, but memory is fastest with 16 bytes that lie together. One instruction (stmatrix)
// transposes the pairs of bytes into shared memory, where a column takes 16 bytes, 8 of each output
// row. Then a lane reads the bytes of two columns and stores them.
//
// Columns i + 4 k, k = 0 .. 7, are written together, and columns 2 q, q = 0 .. 7 or 8 .. 15, are
// read together. column_at() puts the columns of each such group into different banks.
#pragma once

#include "labs/12_tensor/parts/tensor_core.hpp"

namespace convolab::tensor_cores {

inline constexpr int kStripBytes = 256;  ///< bytes of an output row that a warp computes
inline constexpr int kTileBytes = 2 * kStripBytes;

/// Returns where column `column`, 0 to 31, is in the tile.
__device__ __forceinline__ int column_at(int column) {
    const int q = column / 2;
    return 16 * (8 * (2 * (column / 16) + column % 2) + ((q ^ q / 8) & 7));
}

/// words[i]: the lane's pairs of bytes of columns 4 (2 t) + i and 4 (2 t + 1) + i.
__device__ __forceinline__ void put_columns(unsigned char* s_tile, const unsigned (&words)[4]) {
    const int lane = threadIdx.x;
    store_transposed(s_tile + column_at(lane / 8 + 4 * (lane % 8)), words);
}

/// A lane reads 16 bytes of output row tile_row(), beginning with byte tile_byte() of the strip.
__device__ __forceinline__ int tile_row() { return threadIdx.x / 8 % 2; }
__device__ __forceinline__ int tile_byte() { return 16 * (threadIdx.x % 8 + threadIdx.x / 16 * 8); }
__device__ __forceinline__ uint4 get_row(const unsigned char* s_tile) {
    const unsigned char* s_even = s_tile + column_at(tile_byte() / 8) + 8 * tile_row();
    const uint2 low = *reinterpret_cast<const uint2*>(s_even);
    const uint2 high = *reinterpret_cast<const uint2*>(s_even + 128);  // the odd column
    return make_uint4(low.x, low.y, high.x, high.y);
}

}  // namespace convolab::tensor_cores
