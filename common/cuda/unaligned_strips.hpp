// SPDX-License-Identifier: MIT
// Strips of a packed kernel (strips.hpp) whose rows do not begin at multiples of 16 bytes. A row is
// copied from the multiple of 16 before its bytes on, and a lane loads its bytes from where they
// are then. Before a lane stores, it takes what its 16 bytes lack from the lane before it, so lanes
// 2 to 30 write. Every strip tests for the border, and the loop has one row, so that the code is
// short.
#pragma once

#include "common/cuda/strips.hpp"

namespace convolab {

inline constexpr int kUnalignedRowBytes = kRowBytes + kLaneBytes;  ///< in shared memory
inline constexpr int kUnalignedStripBytes = 29 * kLaneBytes;       ///< of the output

template <class Body>
class UnalignedStrip {
  public:
    /// s_ring: kStages rows of kUnalignedRowBytes; base: t of lane 0; y: the first output row.
    __device__ __forceinline__ UnalignedStrip(const ByteRows& rows, const typename Body::Taps& taps,
                                              unsigned char* s_ring, int base, int y)
        : rows_(rows), body_(taps), s_ring_(s_ring), side_(rows, base), y_(y) {
        t_ = base + lane() * kLaneBytes;
        fetched_ = y + rows.job.origin;
        y_end_ = min(y + rows.rows_per_warp, rows.job.out_height);
        fetch_end_ = y_end_ + rows.job.origin + Body::kKsize - 1;
        d_to_ = rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch + t_;
    }

    __device__ __forceinline__ void march() {
#pragma unroll 1
        for (int slot = 0; slot < kStages; ++slot) fetch(slot);
#pragma unroll 1
        for (int row = 1 - Body::kKsize, slot = 0; y_ < y_end_; ++row) {
            step(slot);
            if (row >= 0) write();
            slot = slot == kStages - 1 ? 0 : slot + 1;
        }
    }

  private:
    static constexpr int kStages = Body::kStages;
    using Words = unsigned[Body::kHalo + kLaneWords + Body::kHalo];

    static __device__ int lane() { return static_cast<int>(threadIdx.x); }

    /// Starts the copy of the next input row into a slot.
    __device__ __forceinline__ void fetch(int slot) {
        if (fetched_ < fetch_end_) copy(s_ring_ + slot * kUnalignedRowBytes + lane() * kLaneBytes);
        copies_.close_group();
        ++fetched_;
    }
    __device__ __forceinline__ void copy(unsigned char* s_to) {
        const int row = rows_.row(fetched_);
        if (row < 0) {
            const unsigned four = static_cast<unsigned>(rows_.job.outside) * 0x01010101U;
            *reinterpret_cast<uint4*>(s_to) = make_uint4(four, four, four, four);
            return;
        }
        const unsigned char* d_from = rows_.in_row(row) + t_;
        const int past = past_16(d_from);
        copy_on_image(s_to, d_from - past, t_ - past);
        if (past > 0 && lane() == 0)
            copy_on_image(s_to + kRowBytes, d_from - past + kRowBytes, t_ - past + kRowBytes);
    }
    __device__ __forceinline__ void copy_on_image(unsigned char* s_to, const unsigned char* d_from,
                                                  int t) {
        if (t + kLaneBytes > rows_.first && t < rows_.last) copies_.copy_16(s_to, d_from);
    }

    /// Gives the next input row, which is in `slot`, to the body, and reuses the slot for a later
    /// row.
    __device__ __forceinline__ void step(int slot) {
        copies_.wait<kStages - 1>();
        unsigned char* s_row = s_ring_ + slot * kUnalignedRowBytes;
        const int y = fetched_ - kStages, row = rows_.row(y);
        if (row >= 0) s_row += past_16(rows_.in_row(row) + t_);
        side_.apply(rows_, s_row, y);
        Words words;
        const int place = Body::kHalo > 0 ? max(1, min(lane(), 30)) : lane();
        load_words(words, s_row + place * kLaneBytes - 4 * Body::kHalo);
        __syncwarp();  // all lanes have read before one overwrites
        body_.feed(words);
        fetch(slot);
    }

    /// The next output row.
    __device__ __forceinline__ void write() {
        unsigned out[kLaneWords];
        body_.emit(out);
        const int past = past_16(d_to_), t = t_ - past, end = rows_.out_bytes - t;
        if (past > 0) take_earlier(out, past);
        if (2 <= lane() && lane() <= 30 && end > 0) store_16(d_to_ - past, out, -t, end);
        d_to_ += rows_.out_pitch;
        ++y_;
    }

    const ByteRows& rows_;
    Body body_;
    AsyncCopies copies_;
    unsigned char* s_ring_;
    unsigned char* d_to_;
    SidePatch<Body> side_;
    int t_;
    int y_, y_end_;
    int fetched_, fetch_end_;  // input rows
};

}  // namespace convolab
