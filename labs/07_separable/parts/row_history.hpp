// SPDX-License-Identifier: MIT
// The input rows of a warp of `running_sums`, in a ring of slots in shared memory: rows on their
// way, the row that enters the sums, and the K rows before it, the oldest of which leaves them. The
// output takes the place of the row that leaves.
//
// Rows are copied between global and shared memory in vectors of 16 bytes: lane i copies vectors
// i, i + 32 ... So a lane computes with bytes that other lanes have copied.
#pragma once

#include "common/cuda/async_copy.hpp"
#include "common/cuda/byte_rows.hpp"
#include "labs/07_separable/parts/box_lanes.hpp"

namespace convolab::separable {

template <class Lanes>
class RowHistory {
    using Bytes = typename Lanes::Bytes;
    static constexpr int kFirstOut = Lanes::kFirstOut, kSlotVectors = Lanes::kRowVectors,
                         kSlotBytes = Lanes::kRowBytes, reach = Lanes::kReach;

  public:
    static constexpr int kAhead = 4;  ///< rows on their way
    static constexpr int kBytes = (Lanes::kKsize + kAhead) * kSlotBytes;

    /// t: where the output begins in a row; first, last: input rows, in the order in which they
    /// enter; y: the first output row.
    __device__ RowHistory(const ByteRows& rows, unsigned char* s_ring, int t, int first, int last,
                          int y)
        : rows_(rows),
          s_ring_(s_ring),
          outside_(static_cast<unsigned>(rows.job.outside)),
          base_(t - kFirstOut),
          step_(first <= last ? 1 : -1),
          left_((last - first) * step_ + 1),
          fetched_(first),
          entered_(first) {
        d_from_ = rows.in_row(first) + base_ + kVectorBytes * Lanes::lane();
        d_to_ = rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch + t +
                kVectorBytes * Lanes::lane();
#pragma unroll
        for (int r = 0; r < kRounds; ++r) {
            const int i = Lanes::lane() + 32 * r;
            const int at = base_ + kVectorBytes * i;
            on_image_[r] = i < kSlotVectors && at + kVectorBytes > rows.first && at < rows.last;
        }
        has_sides_ = base_ < rows.first || base_ + kSlotBytes > rows.last;
        if (has_sides_) prepare_patch();
#pragma unroll 1
        for (int i = Lanes::lane(); i < kSlotVectors; i += 32)  // what leaves before the first row
            *vector(kBytes - kSlotBytes, i) = make_uint4(0, 0, 0, 0);
#pragma unroll 1
        for (int i = 0; i < kAhead; ++i) fetch(i * kSlotBytes);
        leaving_ = kAhead * kSlotBytes;
    }

    /// Waits for the row that enters, or for the next two.
    template <int rows>
    __device__ __forceinline__ void wait() {
        copies_.wait<kAhead - rows>();
        __syncwarp();
        if (!has_sides_) return;
        patch(entering_, entered_);
        if constexpr (rows == 2) patch(after(entering_), entered_ + step_);
    }
    /// This lane's bytes of the row that enters, or that leaves; with 1, of the row after it.
    __device__ Bytes entering(int next = 0) { return Lanes::load(s_ring_ + slot(entering_, next)); }
    __device__ Bytes leaving(int next = 0) { return Lanes::load(s_ring_ + slot(leaving_, next)); }

    /// Puts this lane's output in place of the row that leaves, or of the next one. Before that,
    /// wait() has to follow leaving(), because other lanes read these rows, too.
    __device__ void put(const Bytes& out, int next = 0) {
        Lanes::store_output(s_ring_ + slot(leaving_, next), out);
    }

    /// Stores the output that the lanes have put, of one row or two.
    template <int rows>
    __device__ __forceinline__ void store() {
        __syncwarp();
#pragma unroll
        for (int row = 0; row < rows; ++row) {
#pragma unroll
            for (int r = 0; r < kRounds; ++r) {
                const int i = Lanes::lane() + 32 * r;
                if (i < Lanes::kOutBytes / kVectorBytes &&
                    base_ + kFirstOut + kVectorBytes * i < rows_.out_bytes)
                    *reinterpret_cast<uint4*>(d_to_ + 32 * kVectorBytes * r) =
                        *vector(slot(leaving_, row), kFirstOut / kVectorBytes + i);
            }
            d_to_ += static_cast<std::int64_t>(step_) * rows_.out_pitch;
        }
        __syncwarp();  // before a copy overwrites what another lane has to store
#pragma unroll
        for (int row = 0; row < rows; ++row) advance();
    }

    /// On to the next row: a later row is copied into the slot of the one that leaves.
    __device__ __forceinline__ void advance() {
        fetch(leaving_);
        entering_ = after(entering_);
        leaving_ = after(leaving_);
        entered_ += step_;
    }

  private:
    static constexpr int kRounds = (kSlotVectors + 31) / 32;
    static constexpr int kPatches = (2 * reach + 31) / 32;  // of a lane

    static __device__ int after(int slot) {
        return slot + kSlotBytes == kBytes ? 0 : slot + kSlotBytes;
    }
    static __device__ int slot(int first, int next) { return next == 0 ? first : after(first); }
    __device__ uint4* vector(int slot, int i) {
        return reinterpret_cast<uint4*>(s_ring_ + slot + kVectorBytes * i);
    }

    __device__ __forceinline__ void fetch(int slot) {
        if (left_ > 0) {
            if (static_cast<unsigned>(fetched_) < static_cast<unsigned>(rows_.job.height))
                copy(slot, d_from_);
            else
                fetch_by_border(slot);
        }
        copies_.close_group();
        fetched_ += step_;
        d_from_ += static_cast<std::int64_t>(step_) * rows_.in_pitch;
        --left_;
    }
    __device__ __forceinline__ void copy(int slot, const unsigned char* d_from) {
#pragma unroll
        for (int r = 0; r < kRounds; ++r)
            if (on_image_[r])
                copies_.copy_16(vector(slot, Lanes::lane() + 32 * r),
                                d_from + 32 * kVectorBytes * r);
    }
    /// A row above or below the image.
    __device__ __forceinline__ void fetch_by_border(int slot) {
        const int row = rows_.row(fetched_);
        if (row >= 0) return copy(slot, rows_.in_row(row) + base_ + kVectorBytes * Lanes::lane());
        const unsigned four = outside_ * 0x01010101U;
#pragma unroll 1
        for (int i = Lanes::lane(); i < kSlotVectors; i += 32)
            *vector(slot, i) = make_uint4(four, four, four, four);
    }

    /// Each lane finds some of the bytes left and right of the image that are needed.
    __device__ __forceinline__ void prepare_patch() {
#pragma unroll
        for (int i = 0; i < kPatches; ++i) {
            const int k = Lanes::lane() + 32 * i;
            const bool is_left = k < reach;
            const int at = min(is_left ? k : k - reach, reach - 1);
            const int to = (is_left ? rows_.first - 1 - at : rows_.last + at) - base_;
            patch_to_[i] = k < 2 * reach && 0 <= to && to < kSlotBytes ? to : -1;
            const int t = is_left ? rows_.left[at] : rows_.right[at];
            patch_from_[i] = t == ByteRows::kNothing ? t : t - base_;
        }
    }
    /// Puts them into input row y, which is in this slot. All are read before the first is written,
    /// so that no load waits for another.
    __device__ __forceinline__ void patch(int slot, int y) {
        unsigned char* s_row = s_ring_ + slot;
        unsigned values[kPatches];
#pragma unroll
        for (int i = 0; i < kPatches; ++i) {
            values[i] = outside_;
            if (static_cast<unsigned>(patch_from_[i]) < kSlotBytes)
                values[i] = s_row[patch_from_[i]];
            else if (patch_to_[i] >= 0 && patch_from_[i] != ByteRows::kNothing)
                values[i] = load_patch_byte(patch_from_[i], y);
        }
#pragma unroll
        for (int i = 0; i < kPatches; ++i)
            if (patch_to_[i] >= 0) s_row[patch_to_[i]] = static_cast<unsigned char>(values[i]);
        __syncwarp();
    }
    /// A byte of input row y that is not in its slot.
    __device__ unsigned load_patch_byte(int from, int y) const {
        const int row = rows_.row(y);
        return row < 0 ? outside_ : rows_.in_row(row)[from + base_];
    }

    const ByteRows& rows_;
    unsigned char* s_ring_;
    unsigned outside_;  // the byte outside the image
    AsyncCopies copies_;
    const unsigned char* d_from_;  // the lane's first vector of the next row to fetch
    unsigned char* d_to_;          // and of the next row to store
    int base_;                     // t of a slot's first byte
    int step_, left_;              // 1 or -1; rows that are still to fetch
    int fetched_, entered_;        // rows
    bool has_sides_;               // bytes left or right of the image
    bool on_image_[kRounds];       // the lane's vectors
    int entering_ = 0, leaving_;   // slots, in bytes
    int patch_to_[kPatches], patch_from_[kPatches];  // bytes of a slot; the second may be outside
};

}  // namespace convolab::separable
