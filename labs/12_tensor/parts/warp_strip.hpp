// SPDX-License-Identifier: MIT
// The strip of a warp of `tensor`, 256 bytes wide. The warp loads its part of two input rows,
// multiplies, and stores two output rows.
#pragma once

#include "common/cuda/byte_rows.hpp"
#include "common/cuda/unaligned.hpp"
#include "labs/12_tensor/parts/output_tile.hpp"
#include "labs/12_tensor/parts/rolling_matrix.hpp"
#include "labs/12_tensor/parts/row_ring.hpp"
#include "labs/12_tensor/parts/tensor_filter.hpp"

namespace convolab::tensor_cores {

/// Loads 16 bytes without letting the compiler know them. If it knew that four numbers are equal,
/// it would keep them in one register and copy it for every use.
__device__ __forceinline__ int4 load_afresh(const int4* from) {
    const auto* two = reinterpret_cast<const volatile long long*>(from);
    const long long low = two[0], high = two[1];
    return make_int4(static_cast<int>(low), static_cast<int>(low >> 32), static_cast<int>(high),
                     static_cast<int>(high >> 32));
}

/// Loads 8 or 16 bytes. Their address is a multiple of 8, or of 16 if `is_aligned`. Overlapping
/// columns load some bytes twice, through a volatile pointer: otherwise the compiler would copy
/// registers, which takes more instructions.
template <class Words>
__device__ __forceinline__ Words load_shared(const unsigned char* s_from, bool is_aligned) {
    if constexpr (sizeof(Words) == 16) {
        if (is_aligned) return *reinterpret_cast<const uint4*>(s_from);
        const int4 words = load_afresh(reinterpret_cast<const int4*>(s_from));
        return make_uint4(words.x, words.y, words.z, words.w);
    } else {
        return *reinterpret_cast<const uint2*>(s_from);
    }
}

template <class Matrix>
class WarpStrip {
    static constexpr int kGroups = 4;  // groups of 8 columns
    static constexpr int kPairs = Matrix::kPairs, kSteps = Matrix::kSteps;

  public:
    using Filter = TensorFilter<typename Matrix::Form>;
    using Words = typename Matrix::Words[kGroups][kSteps];

    /// Computes output rows y to end, beginning with byte `first`. s_tiles: shared memory of this
    /// warp.
    __device__ __forceinline__ WarpStrip(const ByteRows& rows, const Filter& filter,
                                         unsigned char (&s_tiles)[2][kTileBytes], int first, int y,
                                         int end)
        : filter_(filter),
          matrix_(filter.d_matrix),
          start_(load_afresh(filter.d_start)),
          s_tiles_(s_tiles),
          to_(tile_row() - 2 * (kPairs - 1)),
          height_(first + tile_byte() < rows.out_bytes ? end - y : 0),
          bytes_(rows.out_bytes - first - tile_byte()),
          two_rows_(2 * static_cast<std::int64_t>(rows.out_pitch)),
          d_to_(rows.d_out + static_cast<std::int64_t>(y + to_) * rows.out_pitch + first +
                tile_byte()) {}

    /// Loads this lane's words of two rows of a slot.
    __device__ __forceinline__ static void load(Words& words, const unsigned char* s_rows) {
        constexpr int kLaneBytes = 4 * Matrix::Form::kWords;
        const int g = threadIdx.x / 4, t = threadIdx.x % 4;
        s_rows += kStripBytes * threadIdx.y + t / 2 * kSlotPitch + kGroups * kColumnBytes * g +
                  t % 2 * kLaneBytes;
        if constexpr (Matrix::Form::kBefore > 0) {
            // A window begins in the middle of 8 bytes, 4 before the column and 12 after s_rows.
            const auto* s_eights = reinterpret_cast<const uint2*>(s_rows + 8);
            uint2 left = s_eights[0];
#pragma unroll
            for (int i = 0; i < kGroups; ++i) {
                const uint2 right = s_eights[i + 1];
                words[i][0] = make_uint2(left.y, right.x);
                left = right;
            }
        } else {
#pragma unroll
            for (int i = 0; i < kGroups; ++i)
#pragma unroll
                for (int step = 0; step < kSteps; ++step)
                    words[i][step] = load_shared<typename Matrix::Words>(
                        s_rows + kColumnBytes * i + 2 * kLaneBytes * step, i % 2 == 0);
        }
    }

    /// Multiplies, and puts the two output rows that are then finished into a tile.
    __device__ __forceinline__ void compute(const Words& words, int tile) {
        unsigned bytes[kGroups];
#pragma unroll
        for (int i = 0; i < kGroups; ++i) matrix_.step(sums_[i], words[i], start_);
#pragma unroll
        for (int i = 0; i < kGroups; ++i)
            bytes[i] = filter_.division.four_bytes(sums_[i][kPairs - 1]);
        put_columns(s_tiles_[tile], bytes);
    }

    /// Stores the rows of a tile that belong to this strip. at_edge: 16 bytes may be more than a
    /// row has.
    template <bool at_edge>
    __device__ __forceinline__ void store(int tile) {
        const uint4 sixteen = get_row(s_tiles_[tile]);
        if (static_cast<unsigned>(to_) < height_) {
            if constexpr (at_edge)
                store_16(d_to_, {sixteen.x, sixteen.y, sixteen.z, sixteen.w}, 0, bytes_);
            else
                *reinterpret_cast<uint4*>(d_to_) = sixteen;
        }
        d_to_ += two_rows_;
        to_ += 2;
    }

  private:
    const Filter& filter_;
    const Matrix matrix_;
    const int4 start_;
    unsigned char (&s_tiles_)[2][kTileBytes];
    int to_;  // row of this lane's next store; before 0 nothing is finished
    unsigned height_;
    int bytes_;  // of an output row, from this lane's first
    std::int64_t two_rows_;
    std::uint8_t* d_to_;
    int4 sums_[kGroups][kPairs] = {};
};

}  // namespace convolab::tensor_cores
