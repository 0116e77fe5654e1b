// SPDX-License-Identifier: MIT
// A slot of row_ring.hpp is four input rows. Only the blocks at the left and the right side of the
// image write the bytes outside it, in the warp that reads them. If two warps read the same ones,
// all warps wait.
#pragma once

#include "common/cuda/byte_rows.hpp"
#include "labs/12_tensor/parts/bulk_copy.hpp"
#include "labs/12_tensor/parts/output_tile.hpp"

namespace convolab::tensor_cores {

inline constexpr int kWarps = 3;  ///< warps of a block
inline constexpr int kSlotRows = 4;
/// Bytes from one row of a slot to the next. Two rows begin 16 banks apart, so that 8 lanes load 16
/// bytes each from both without a conflict.
inline constexpr int kSlotPitch = 832;
inline constexpr int kSlotBytes = kSlotRows * kSlotPitch;

/// Lanes 0 to 15 write the bytes left of the image, lanes 16 to 31 the bytes right of it, one each.
/// A byte is written by the warp whose strip contains it, or by the last warp.
template <int row_bytes>
class SlotSides {
  public:
    /// t: the first byte of a row, counted as in ByteRows.
    __device__ __forceinline__ void begin(const ByteRows& rows, int t) {
        t_ = t;
        is_needed_ = t < rows.first || rows.last < t + row_bytes;
        const int k = threadIdx.x % 16;
        const bool is_left = threadIdx.x < 16;
        to_ = (is_left ? rows.first - 1 - k : rows.last + k) - t;
        const bool is_mine =
            min(to_ / kStripBytes, kWarps - 1) == static_cast<int>(threadIdx.y) && to_ < row_bytes;
        if (!is_mine) to_ = -1;
        from_ = is_left ? rows.left[k] : rows.right[k];
        is_copied_ = t <= from_ && from_ < min(rows.last, t + row_bytes);
        outside_ = static_cast<unsigned char>(rows.job.outside);
        // True if two warps may read the same byte right of the image: a warp reads its strip and
        // less than kMore bytes after it.
        constexpr int kMore = row_bytes - kWarps * kStripBytes;
        const int right = rows.last - t, in_strip = right % kStripBytes;
        are_shared_ = right < (kWarps - 1) * kStripBytes + kMore &&
                      (in_strip < kMore || kStripBytes - 16 < in_strip);
    }

    /// in_row(k): where row k of the slot begins in the image.
    template <class InRow>
    __device__ __forceinline__ void write(unsigned char* s_rows, const InRow& in_row) const {
        if (!is_needed_) return;
        if (to_ >= 0) {
            unsigned char bytes[kSlotRows];
#pragma unroll
            for (int k = 0; k < kSlotRows; ++k)
                bytes[k] = is_copied_ ? s_rows[k * kSlotPitch + from_ - t_] : outside(k, in_row);
#pragma unroll
            for (int k = 0; k < kSlotRows; ++k) s_rows[k * kSlotPitch + to_] = bytes[k];
            Mbarrier::proxy_fence();
        }
        if (are_shared_)
            __syncthreads();
        else
            __syncwarp();
    }

  private:
    /// Returns a byte of row k that the block has not copied.
    template <class InRow>
    __device__ __forceinline__ unsigned char outside(int k, const InRow& in_row) const {
        return from_ == ByteRows::kNothing ? outside_ : in_row(k)[from_ - t_];
    }

    bool is_needed_, is_copied_, are_shared_;
    int t_, to_, from_;
    unsigned char outside_;
};

}  // namespace convolab::tensor_cores
