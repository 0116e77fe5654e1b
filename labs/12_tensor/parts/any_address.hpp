// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What `wgmma` does if input rows begin at any address, as in many programs. The copies
// start at the multiple of 16 before a row. Three warps that have nothing else to do then move the
// row's bytes to where the products expect them. For the output see row_stores.hpp.
#pragma once

#include "common/cuda/unaligned.hpp"
#include "labs/12_tensor/parts/stage_ring.hpp"

namespace convolab::tensor_cores {

inline constexpr int kMovers = 3;  ///< warps that move rows; the slots of the ring are a multiple

/// Moves bytes shift .. shift + bytes - 1 of a row in shared memory to its beginning, which is a
/// multiple of 4. A warp calls this; shift is not negative. Up to 8 bytes more are read.
template <int bytes>
__device__ __forceinline__ void shift_row(unsigned char* s_row, int shift) {
    constexpr int kWords = (bytes + 3) / 4, kAtOnce = 5;
    auto* s_words = reinterpret_cast<unsigned*>(s_row);
    const int lane = static_cast<int>(threadIdx.x) % 32, ahead = shift / 4;
    const unsigned bits = 8 * static_cast<unsigned>(shift % 4);
#pragma unroll
    for (int first = lane; first < kWords + lane; first += 32 * kAtOnce) {  // as often in all lanes
        unsigned moved[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            const int w = first + 32 * i;
            if (w < kWords)
                moved[i] = __funnelshift_r(s_words[w + ahead], s_words[w + ahead + 1], bits);
        }
        __syncwarp();  // all lanes have read before one overwrites
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i)
            if (first + 32 * i < kWords) s_words[first + 32 * i] = moved[i];
    }
}

/// Warps 0 to kMovers - 1 call this. Each moves the rows of every third stage, because a fence
/// takes long.
template <class Chunks>
__device__ __forceinline__ void move_rows(int slots, RingState& s, unsigned char* s_ring,
                                          int warp) {
    Place at;
    for (at.advance(warp, slots);; at.advance(kMovers, slots)) {
        s.copied[at.slot].wait(at.parity);
        const bool is_end = s.stage[at.slot].y == Stage::kEnd;
        for (int row = 0; row < kStageRows && !is_end; ++row)
            shift_row<Chunks::kRowBytes>(
                s_ring + at.slot * Chunks::kStageBytes + row * Chunks::kPitch,
                s.shift[at.slot][row]);
        Mbarrier::proxy_fence();
        __syncwarp();
        if (threadIdx.x % 32 == 0) s.full[at.slot].arrive();
        if (is_end) return;
    }
}

}  // namespace convolab::tensor_cores
