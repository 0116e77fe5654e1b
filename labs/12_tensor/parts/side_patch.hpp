// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The bytes left and right of the image in the stages of `wgmma`. The first warpgroup that needs a
// stage writes them into it. All warpgroups that read the stage wait until it is `patched`.
#pragma once

#include "labs/12_tensor/parts/stage_ring.hpp"

namespace convolab::tensor_cores {

/// Writes the bytes left and right of the image into a stage. Its first row is `top`, and its rows
/// begin with byte t. Each warp of a warpgroup writes one row; 16 of its lanes write each side.
template <class Chunks>
__device__ __forceinline__ void patch(const ByteRows& rows, int t, int top, unsigned char* s_rows) {
    const int k = threadIdx.x % 16, i = threadIdx.x / 32 % kStageRows;
    const bool is_left = threadIdx.x % 32 < 16;
    const int to = (is_left ? rows.first - 1 - k : rows.last + k) - t;
    if (0 <= to && to < Chunks::kRowBytes) {
        const int from = is_left ? rows.left[k] : rows.right[k];
        unsigned char* s_row = s_rows + i * Chunks::kPitch;
        auto byte = static_cast<unsigned char>(rows.job.outside);
        if (t <= from && from < min(rows.last, t + Chunks::kRowBytes)) {
            byte = s_row[from - t];
        } else if (from != ByteRows::kNothing) {
            const int row = rows.row(top + i);
            if (row >= 0) byte = rows.in_row(row)[from];
        }
        s_row[to] = byte;
        Mbarrier::proxy_fence();
    }
    __syncwarp();
}

/// Writes the bytes outside the image, at its left or right side, into all stages under the 4
/// output rows. The steps before this one have patched all of these stages except the last, unless
/// this step is the first of a part. While the other warpgroups multiply, accesses to shared memory
/// are slow, so this function makes few.
template <class Chunks>
__device__ __forceinline__ void patch_window(const ByteRows& rows, const StripPlan& plan,
                                             RingState& s, unsigned char* s_ring,
                                             const Stage& stage, const Place& at) {
    constexpr int kLast = Chunks::kStages - 1;
    const int t = Chunks::kStripBytes * stage.strip - plan.lead;
    Place then = at;
#pragma unroll
    for (int j = 0; j < Chunks::kStages; ++j, then.advance(1, plan.slots)) {
        if (j < kLast && !stage.is_first()) continue;
        patch<Chunks>(rows, t, stage.top + kStageRows * j,
                      s_ring + then.slot * Chunks::kStageBytes);
        s.patched[then.slot].arrive();
    }
    then = at;
#pragma unroll
    for (int j = 0; j < Chunks::kStages; ++j, then.advance(1, plan.slots))
        s.patched[then.slot].wait(stage.parity(j));
}

}  // namespace convolab::tensor_cores
