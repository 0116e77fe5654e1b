// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The input rows of a block, four at a time, in a ring of slots in shared memory: bulk copies fill
// the next slots while the warps use one. A warp that has read a slot says so to the slot's `empty`
// and goes on. One lane waits for all of them and starts the next copies, a step later, when they
// have long come; the warps take turns.
//
// Rows above and below the image are copied from where the border rule puts them. Bytes left and
// right of it are put into the slot when its copies have arrived, in the blocks at these sides.
#pragma once

#include "common/cuda/bulk_copy.hpp"
#include "common/cuda/byte_rows.hpp"

namespace convolab::tensor_cores {

inline constexpr int kWarps = 3;  ///< of a block
inline constexpr int kSlotRows = 4;
/// Of a slot's row. Two rows begin 16 banks apart, so that 8 lanes load 16 bytes each from both
/// without a conflict.
inline constexpr int kSlotPitch = 832;
inline constexpr int kSlotBytes = kSlotRows * kSlotPitch;

template <int slots>
struct alignas(128) RingMemory {
    unsigned char rows[slots * kSlotBytes];
    Mbarrier full[slots], empty[slots];
};

/// at_edge: of the image; otherwise all bytes are inside.
template <int slots, int row_bytes, bool at_edge>
class RowRing {
    static_assert(row_bytes <= kSlotPitch && row_bytes % 16 == 0);

  public:
    /// t: the first byte of a row, counted as in ByteRows; y, end: the first input row, and one past
    /// the last that is needed. d_outside: a row where there is no row.
    __device__ __forceinline__ RowRing(const ByteRows& rows, const unsigned char* d_outside,
                                       RingMemory<slots>& s, int t, int y, int end)
        : rows_(rows), d_outside_(d_outside), s_(s), t_(t), y_(y), end_(end) {
        bytes_ = at_edge ? min(row_bytes, (rows.last - t + 15) / 16 * 16) : row_bytes;
        steps_ = (end - y + kSlotRows - 1) / kSlotRows;
        if constexpr (at_edge) prepare_patch();
        const bool is_first = threadIdx.x == 0 && threadIdx.y == 0;
        for (int slot = 0; is_first && slot < slots; ++slot) {
            s.full[slot].init(1);
            s.empty[slot].init(kWarps);
        }
        __syncthreads();
        for (int slot = 0; is_first && slot < min(slots, steps_); ++slot) fetch(slot, slot);
    }

    __device__ bool has_rows() const { return step_ < steps_; }

    /// The next four rows.
    __device__ __forceinline__ unsigned char* wait() {
        s_.full[slot_].wait(parity_);
        unsigned char* s_rows = s_.rows + slot_ * kSlotBytes;
        if constexpr (at_edge)
            if (has_sides_) patch(s_rows);
        return s_rows;
    }

    /// The warp has read them.
    __device__ __forceinline__ void release() {
        __syncwarp();
        if (threadIdx.x == 0) {
            s_.empty[slot_].arrive();
            const int next = step_ - 1 + slots;
            if (static_cast<int>(threadIdx.y) == turn_ && step_ > 0 && next < steps_) {
                const int before = slot_ == 0 ? slots - 1 : slot_ - 1;
                s_.empty[before].wait(slot_ == 0 ? parity_ ^ 1 : parity_);
                fetch(next, before);
            }
        }
        __syncwarp();
        ++step_;
        if (++turn_ == kWarps) turn_ = 0;
        if (++slot_ == slots) {
            slot_ = 0;
            parity_ ^= 1;
        }
    }

  private:
    /// One lane: the rows of a step.
    __device__ __forceinline__ void fetch(int step, int slot) {
        Mbarrier& full = s_.full[slot];
        const int y = y_ + kSlotRows * step;
        const unsigned char* d_first = row(y);
        full.arrive_expecting(kSlotRows * bytes_);
#pragma unroll
        for (int k = 0; k < kSlotRows; ++k)
            full.copy(s_.rows + slot * kSlotBytes + k * kSlotPitch,
                      at_edge ? row(y + k) : d_first + k * std::int64_t{rows_.in_pitch}, bytes_);
    }

    __device__ __forceinline__ const unsigned char* row(int y) const {
        if constexpr (!at_edge) return rows_.in_row(y) + t_;
        const int found = rows_.row(min(y, end_ - 1));
        return found < 0 ? d_outside_ : rows_.in_row(found) + t_;
    }

    /// Lanes 0 to 15 put the bytes left of the image, lanes 16 to 31 those right of it, one each.
    __device__ __forceinline__ void prepare_patch() {
        has_sides_ = t_ < rows_.first || rows_.last < t_ + row_bytes;
        const int k = threadIdx.x % 16;
        const bool is_left = threadIdx.x < 16;
        to_ = (is_left ? rows_.first - 1 - k : rows_.last + k) - t_;
        if (to_ >= row_bytes) to_ = -1;  // in the next block
        from_ = is_left ? rows_.left[k] : rows_.right[k];
        is_copied_ = t_ <= from_ && from_ < min(rows_.last, t_ + row_bytes);
        outside_ = static_cast<unsigned char>(rows_.job.outside);
    }
    __device__ __forceinline__ void patch(unsigned char* s_rows) const {
#pragma unroll 1
        for (int k = threadIdx.y; k < kSlotRows && to_ >= 0; k += kWarps) {
            unsigned char* s_row = s_rows + k * kSlotPitch;
            s_row[to_] = is_copied_ ? s_row[from_ - t_]
                         : from_ == ByteRows::kNothing
                             ? outside_
                             : row(y_ + kSlotRows * step_ + k)[from_ - t_];
        }
        Mbarrier::before_copies();
        __syncthreads();
    }

    const ByteRows& rows_;
    const unsigned char* d_outside_;
    RingMemory<slots>& s_;
    int t_, y_, end_, bytes_, steps_;
    int step_ = 0, slot_ = 0, parity_ = 0, turn_ = 0;
    bool has_sides_, is_copied_;  // and below: of a ring at_edge
    int to_, from_;
    unsigned char outside_;
};

}  // namespace convolab::tensor_cores
