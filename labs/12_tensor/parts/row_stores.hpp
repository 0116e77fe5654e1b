// SPDX-License-Identifier: MIT
// How a warp of `wgmma` stores a row of a strip: 128 bytes at a time, a word from each lane. Only
// pixels are written. If rows do not begin at multiples of 16, each word takes bytes from two lanes.
#pragma once

#include "common/cuda/byte_rows.hpp"
#include "common/cuda/unaligned.hpp"
#include "labs/12_tensor/parts/window_chunks.hpp"

namespace convolab::tensor_cores {

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

/// Stores row y of a strip. word_of(i): bytes 128 i + 4 lane and following.
template <class Chunks, class WordOf>
__device__ __forceinline__ void store_row(const ByteRows& rows, int strip, int y,
                                          const WordOf& word_of) {
    const int lane = threadIdx.x % 32, from = Chunks::kStripBytes * strip;
    unsigned char* d_to = rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch + from;
    const int bytes = rows.out_bytes - from;
    const auto each_word = [&](const auto& store) {
#pragma unroll
        for (int i = 0; i < Chunks::kColumns / 8; ++i) store(128 * i + 4 * lane, word_of(i));
    };
    if constexpr (Chunks::kBegin == Begin::anywhere) {
        ShiftedStores stores(d_to, bytes);
        each_word([&](int byte, unsigned word) { stores.store(byte, word); });
        stores.finish(Chunks::kStripBytes);
    } else if (bytes >= Chunks::kStripBytes) {
        each_word(
            [&](int byte, unsigned word) { *reinterpret_cast<unsigned*>(d_to + byte) = word; });
    } else {  // the right end of the image
        unsigned rest = 0;
#pragma unroll
        for (int i = 0; i < Chunks::kColumns / 8; ++i) {
            if (128 * i >= bytes) break;
            const int byte = 128 * i + 4 * lane;
            const unsigned word = word_of(i);
            if (byte + 4 <= bytes)
                *reinterpret_cast<unsigned*>(d_to + byte) = word;
            else if (byte < bytes)
                rest = word;
        }
        if (lane == bytes / 4 % 32) store_bytes(d_to + bytes / 4 * 4, rest, bytes % 4);
    }
}

}  // namespace convolab::tensor_cores
