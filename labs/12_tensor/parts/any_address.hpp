// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What `wgmma` does if input or output rows begin at any address, as in many programs. The copies
// start at the multiple of 16 before a row. Three warps that have nothing else to do then move the
// row's bytes to where the products expect them. The output's words are stored at multiples of 4:
// each of them takes bytes from two lanes.
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
    for (int first = lane; first < kWords + lane; first += 32 * kAtOnce) {
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
        Mbarrier::before_copies();
        __syncwarp();
        if (threadIdx.x % 32 == 0) s.full[at.slot].arrive();
        if (is_end) return;
    }
}

/// Stores the words of one row, 128 bytes at a time, in order.
class ShiftedStores {
  public:
    /// d_to: the row in this strip; bytes: how many of them are pixels.
    __device__ __forceinline__ ShiftedStores(unsigned char* d_to, int bytes)
        : past_(past_16(d_to) % 4), d_to_(d_to - past_), bytes_(bytes + past_) {}

    /// word: bytes `byte` to byte + 3, which is 4 times the lane after a multiple of 128.
    __device__ __forceinline__ void store(int byte, unsigned word) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const unsigned left = __shfl_sync(~0U, word, (lane + 31) % 32);
        const unsigned before = lane == 0 ? last_ : left;
        last_ = left;  // of lane 0: what lane 31 has, for the next 128 bytes
        const unsigned shifted = __funnelshift_l(before, word, 8 * past_);
        if (byte >= past_ && byte + 4 <= bytes_)
            *reinterpret_cast<unsigned*>(d_to_ + byte) = shifted;
        else
            for (int i = byte == 0 ? past_ : 0; i < min(4, bytes_ - byte); ++i)
                d_to_[byte + i] = static_cast<unsigned char>(shifted >> (8 * i));
    }

    /// Stores what is left of the last word. strip_bytes: all words together.
    __device__ __forceinline__ void finish(int strip_bytes) const {
        if (threadIdx.x % 32 == 0)
            store_bytes(d_to_ + strip_bytes, __funnelshift_l(last_, 0, 8 * past_),
                        min(past_, bytes_ - strip_bytes));
    }

  private:
    int past_;
    unsigned char* d_to_;
    int bytes_;
    unsigned last_ = 0;
};

}  // namespace convolab::tensor_cores
