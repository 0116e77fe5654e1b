// SPDX-License-Identifier: MIT
// Two frames in one strip of a warp (common/cuda/strips.hpp): a lane has 16 bytes of each row, of
// both frames. Rows and columns outside the frame repeat the edge. Strips in the middle have no test
// for columns; those at a side get the bytes outside (SidePatch). If rows do not begin at multiples
// of 16 bytes, a row is copied from the multiple of 16 before its bytes on (unaligned_strips.hpp),
// by code that is shorter and slower.
#pragma once

#include "common/cuda/packed_kernel.hpp"

namespace convolab::noise_filter {

struct PairRows {
    ByteRows rows;  ///< d_in: the previous frame; d_out: the marks, or nullptr
    const unsigned char* d_current;
    bool aligned;  ///< all rows begin at multiples of 16 bytes
};

enum class Strips { middle, at_side, unaligned };

/// Plan::kStages: rows of each frame in shared memory.
template <class Body, class Plan, Strips strips>
class PairStrip {
  public:
    static constexpr int kLineBytes = kUnalignedRowBytes;  ///< of a row in shared memory
    static constexpr int kRingBytes = 2 * Plan::kStages * kLineBytes;

    /// s_ring: kRingBytes; base: t of lane 0; y: the first output row.
    __device__ __forceinline__ PairStrip(const PairRows& pair, unsigned char* s_ring, int base,
                                         int y)
        : pair_(pair), s_ring_(s_ring), side_(pair.rows, base), y_(y) {
        t_ = base + lane() * kLaneBytes;
        y_end_ = min(y + pair.rows.rows_per_warp, pair.rows.job.out_height);
        fetched_ = y - Body::kKsize / 2;
        fetch_end_ = y_end_ + Body::kKsize / 2;
        // Lanes outside the frame copy bytes of it that nobody uses.
        const int from = min(max(t_, 0), pair.rows.last - kLaneBytes);
        const std::int64_t first = in_row(fetched_) + from;
        d_previous_ = pair.rows.d_in + first;
        d_current_ = pair.d_current + first;
        d_to_ = pair.rows.d_out + static_cast<std::int64_t>(y) * pair.rows.out_pitch + t_;
        writes_ = lane() >= (strips == Strips::unaligned ? 2 : 1) && lane() <= 30 &&
                  t_ < pair.rows.out_bytes;
    }

    __device__ bool has_rows() const { return y_ < y_end_; }

    /// Starts the copies of the next row of both frames into a slot.
    __device__ __forceinline__ void fetch(int slot) {
        unsigned char* s_to = line(slot) + lane() * kLaneBytes;
        if (fetched_ < fetch_end_) {
            if constexpr (strips == Strips::unaligned) {
                copy_unaligned(s_to, pair_.rows.d_in);
                copy_unaligned(s_to + kLineBytes, pair_.d_current);
            } else {
                copies_.copy_16(s_to, d_previous_);
                copies_.copy_16(s_to + kLineBytes, d_current_);
            }
        }
        copies_.close_group();
        if (static_cast<unsigned>(fetched_) < static_cast<unsigned>(pair_.rows.job.height - 1)) {
            d_previous_ += pair_.rows.in_pitch;
            d_current_ += pair_.rows.in_pitch;
        }
        ++fetched_;
    }

    /// The row that is in `slot`; then starts the copy of a later row into it.
    __device__ __forceinline__ void load(int slot, unsigned (&previous)[kLaneWords],
                                         unsigned (&current)[kLaneWords]) {
        copies_.template wait<Plan::kStages - 1>();
        unsigned char* s_line = line(slot);
        if constexpr (strips == Strips::unaligned)
            s_line += past_16(pair_.rows.d_in + in_row(fetched_ - Plan::kStages) + t_);
        load_16(s_line, previous);
        load_16(s_line + kLineBytes, current);
        if constexpr (strips == Strips::unaligned) __syncwarp();  // one lane reads another's bytes
        fetch(slot);
    }

    /// Bit i: byte i of the lane belongs to the frame, and this lane writes or counts it.
    __device__ unsigned counted() const {
        if constexpr (strips == Strips::unaligned)
            return writes_ ? 0xFFFFU >> (16 - min(pair_.rows.out_bytes - t_, 16)) : 0;
        return writes_ ? 0xFFFFU : 0;
    }
    /// Bit i: a pixel begins at byte i of the lane.
    __device__ unsigned pixels() const { return 0x49249249U << ((3 - t_ % 3) % 3) & 0xFFFFU; }

    __device__ __forceinline__ void store(unsigned (&out)[kLaneWords]) const {
        if constexpr (strips == Strips::unaligned) {
            const int past = past_16(d_to_);
            if (past > 0) take_earlier(out, past);
            if (2 <= lane() && lane() <= 30)
                store_16(d_to_ - past, out, past - t_, pair_.rows.out_bytes - t_ + past);
        } else if (writes_) {
            *reinterpret_cast<uint4*>(d_to_) = make_uint4(out[0], out[1], out[2], out[3]);
        }
    }
    __device__ void next_row() {
        d_to_ += pair_.rows.out_pitch;
        ++y_;
    }

  private:
    static __device__ int lane() { return static_cast<int>(threadIdx.x); }
    __device__ unsigned char* line(int slot) const { return s_ring_ + 2 * slot * kLineBytes; }
    /// Where the row nearest to y begins.
    __device__ std::int64_t in_row(int y) const {
        return static_cast<std::int64_t>(min(max(y, 0), pair_.rows.job.height - 1)) *
               pair_.rows.in_pitch;
    }

    __device__ __forceinline__ void copy_unaligned(unsigned char* s_to,
                                                   const unsigned char* d_frame) {
        const std::int64_t row = in_row(fetched_);
        const int past = past_16(d_frame + row + t_);
        copy_on_frame(s_to, d_frame, row, t_ - past);
        if (lane() == 0) copy_on_frame(s_to + kRowBytes, d_frame, row, t_ - past + kRowBytes);
    }
    /// The bytes t .. t + 15 of a row, as far as they are in the frame.
    __device__ __forceinline__ void copy_on_frame(unsigned char* s_to, const unsigned char* d_frame,
                                                  std::int64_t row, int t) {
        if (t + kLaneBytes <= 0 || t >= pair_.rows.last) return;
        const std::int64_t end = in_row(pair_.rows.job.height) + pair_.rows.last;
        if (row + t + kLaneBytes <= end) return copies_.copy_16(s_to, d_frame + row + t);
        for (int i = 0; row + t + i < end; ++i) s_to[i] = d_frame[row + t + i];
    }

    /// s_line: where byte 0 of lane 0 is.
    __device__ __forceinline__ void load_16(unsigned char* s_line,
                                            unsigned (&words)[kLaneWords]) const {
        // What lies beside the strip's part of a frame is in this part: no row is looked up.
        if constexpr (strips != Strips::middle) side_.apply(pair_.rows, s_line, 0);
        const unsigned char* s_mine = s_line + lane() * kLaneBytes;
        if constexpr (strips == Strips::unaligned) {
            load_words(words, s_mine);
        } else {
            const uint4 own = *reinterpret_cast<const uint4*>(s_mine);
            words[0] = own.x;
            words[1] = own.y;
            words[2] = own.z;
            words[3] = own.w;
        }
    }

    const PairRows& pair_;
    AsyncCopies copies_;
    unsigned char* s_ring_;
    const unsigned char *d_previous_, *d_current_;
    unsigned char* d_to_;
    SidePatch<Body> side_;
    int t_;
    bool writes_;
    int y_, y_end_;
    int fetched_, fetch_end_;  // input rows
};

}  // namespace convolab::noise_filter
