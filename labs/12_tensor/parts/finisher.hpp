// SPDX-License-Identifier: MIT
// Warps of `wgmma` that finish a stage between its copies and the products, if the copies alone do
// not bring all bytes:
//
//     stages at the left or right side of the image    the bytes outside are written
//     rows that begin at any address                   they are moved to where the products expect
//                                                      them: a copy starts at a multiple of 16
//
// The rows of a lab begin where the products expect them; those of other programs may not. For the
// output see row_stores.hpp.
#pragma once

#include "labs/12_tensor/parts/stage_ring.hpp"

namespace convolab::tensor_cores {

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

/// Returns the byte that the border rule puts outside the image in row y. from: where in that row it
/// is; s_row: the row's bytes t and following.
template <class Chunks>
__device__ __forceinline__ unsigned char outside_byte(const ByteRows& rows, int from, int y, int t,
                                                      const unsigned char* s_row) {
    if (t <= from && from < min(rows.last, t + Chunks::kRowBytes)) return s_row[from - t];
    const int row = from == ByteRows::kNothing ? -1 : rows.row(y);
    return row < 0 ? static_cast<unsigned char>(rows.job.outside) : rows.in_row(row)[from];
}

/// Writes the bytes outside the image into a stage, whose rows begin with byte t. Eight lanes of a
/// warp write 16 bytes of each row and side. They first read all of them, because shared memory is
/// slow while products run.
template <class Chunks>
__device__ __forceinline__ void write_outside(const ByteRows& rows, int t, int top,
                                              unsigned char* s_rows) {
    const int i = threadIdx.x % 32 / 8, k = threadIdx.x % 8;
    unsigned char* s_row = s_rows + i * Chunks::kPitch;
    const auto write = [&](const int* from, int to, int step) {
        unsigned char bytes[2];
#pragma unroll
        for (int j = 0; j < 2; ++j)
            bytes[j] = outside_byte<Chunks>(rows, from[k + 8 * j], top + i, t, s_row);
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const int at = to + step * (k + 8 * j);
            if (0 <= at && at < Chunks::kRowBytes) s_row[at] = bytes[j];
        }
    };
    if (t < rows.first) write(rows.left, rows.first - 1 - t, -1);
    if (rows.last < t + Chunks::kRowBytes) write(rows.right, rows.last - t, 1);
}

/// Warps 0 to kFinishingWarps - 1 call this. They take the unfinished stages in turn.
template <class Chunks>
__device__ __forceinline__ void finish_stages(const ByteRows& rows, RingState& s,
                                              unsigned char* s_ring, int warp) {
    static_assert(kMaxSlots % kFinishingWarps<Chunks> == 0);
    Place at;
    for (at.advance(warp, kMaxSlots);; at.advance(kFinishingWarps<Chunks>, kMaxSlots)) {
        s.copied[at.slot].wait(at.parity);
        const Unfinished stage = s.unfinished[at.slot];
        if (stage.slot == Unfinished::kEnd) return;
        unsigned char* s_rows = s_ring + stage.slot * Chunks::kStageBytes;
        if constexpr (Chunks::kBegin == Begin::anywhere) {
            for (int i = 0; i < kStageRows; ++i)
                shift_row<Chunks::kRowBytes>(s_rows + i * Chunks::kPitch, s.shift[at.slot][i]);
            __syncwarp();
        }
        write_outside<Chunks>(rows, stage.t, stage.top, s_rows);
        Mbarrier::proxy_fence();
        s.full[stage.slot].arrive();
    }
}

}  // namespace convolab::tensor_cores
