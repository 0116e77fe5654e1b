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

inline constexpr int kMovers = 96;  ///< threads that move rows

/// Moves bytes shift .. shift + bytes - 1 of a row in shared memory to its beginning, which is a
/// multiple of 16. A warp calls this; shift is not negative. Up to 32 bytes more are read.
template <int bytes>
__device__ __forceinline__ void shift_row(unsigned char* s_row, int shift) {
    constexpr int kSixteens = (bytes + 15) / 16;
    const auto move = [&](const auto& moved) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        auto* s_to = reinterpret_cast<uint4*>(s_row);
        const uint4* s_from = s_to + shift / 16;
#pragma unroll
        for (int first = 0; first < kSixteens; first += 32) {
            const int i = first + lane;
            uint4 sixteen;
            if (i < kSixteens) sixteen = moved(s_from[i], s_from[i + 1]);
            __syncwarp();  // all lanes have read before one overwrites
            if (i < kSixteens) s_to[i] = sixteen;
        }
        __syncwarp();
    };
    // The words of the row begin in a word of a 16, which is the same for all of them.
    const unsigned bits = 8 * static_cast<unsigned>(shift % 4);
    const auto word = [&](unsigned low, unsigned high) { return __funnelshift_r(low, high, bits); };
    switch (shift % 16 / 4) {
        case 0:
            return move([&](const uint4& a, const uint4& b) {
                return make_uint4(word(a.x, a.y), word(a.y, a.z), word(a.z, a.w), word(a.w, b.x));
            });
        case 1:
            return move([&](const uint4& a, const uint4& b) {
                return make_uint4(word(a.y, a.z), word(a.z, a.w), word(a.w, b.x), word(b.x, b.y));
            });
        case 2:
            return move([&](const uint4& a, const uint4& b) {
                return make_uint4(word(a.z, a.w), word(a.w, b.x), word(b.x, b.y), word(b.y, b.z));
            });
        default:
            return move([&](const uint4& a, const uint4& b) {
                return make_uint4(word(a.w, b.x), word(b.x, b.y), word(b.y, b.z), word(b.z, b.w));
            });
    }
}

/// Threads 0 to kMovers - 1 call this, as whole warps. Each warp moves every third row.
template <class Chunks, int groups>
__device__ __forceinline__ void move_rows(int slots, RingState& s, unsigned char* s_ring,
                                          int thread) {
    int ends = 0, turn = thread / 32;
    for (Place at; ends < groups; at.advance(1, slots)) {
        s.copied[at.slot].wait(at.parity);
        if (s.stage[at.slot].y == Stage::kEnd) {
            ++ends;
        } else {
            for (int row = 0; row < kStageRows; ++row, turn = turn == 0 ? 2 : turn - 1)
                if (turn == 0)
                    shift_row<Chunks::kRowBytes>(
                        s_ring + at.slot * Chunks::kStageBytes + row * Chunks::kPitch,
                        s.shift[at.slot][row]);
            Mbarrier::before_copies();
        }
        s.full[at.slot].arrive();
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
