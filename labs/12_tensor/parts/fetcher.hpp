// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Four lanes that fill the ring of `wgmma` (stage_ring.hpp), a row each. They take the parts of
// strips that belong to their block, and then tiles.
#pragma once

#include "common/cuda/unaligned.hpp"
#include "labs/12_tensor/parts/stage_ring.hpp"

namespace convolab::tensor_cores {

/// Lanes 0 to 3 of a warp run this.
template <class Chunks, int groups>
struct Fetcher {
    static constexpr bool kIsAnywhere = Chunks::kBegin == Begin::anywhere;
    static constexpr unsigned kLaneMask = 15;
    const ByteRows& rows;
    const StripPlan& plan;
    const unsigned char* d_outside;  ///< what is copied if the border rule has no row
    RingState& s;
    unsigned char* s_ring;
    int lane;
    Place at{};
    unsigned parities = 0;  ///< parities of the next patch of each slot

    /// Copies the stages of `steps` steps of a strip, beginning with step `first`.
    __device__ __forceinline__ void fetch(int strip, int first, int steps) {
        const int t = Chunks::kStripBytes * strip - plan.lead;
        const bool is_inside = rows.first <= t && t + Chunks::kRowBytes <= rows.last;
        // Each 16 bytes that are copied contain at least one pixel.
        const int outside = max(rows.first - t, 0), skip = outside / 16 * 16;
        const int bytes = min(Chunks::kRowBytes, (rows.last - t + 15) / 16 * 16) - skip;
        int top = kStageRows * first + rows.job.origin;
        const int end = top + kStageRows * steps + rows.job.ksize - 1;  // of the needed rows
        for (int k = 0; k < steps + Chunks::kStages - 1; ++k, top += kStageRows) {
            s.empty[at.slot].wait(at.parity ^ 1);
            if (lane == 0) {
                const int y = k < steps ? kStageRows * (first + k) : Stage::kNoOutput;
                int patch = Stage::kInside;
                if (!is_inside) patch = next_patch(k == 0);
                s.stage[at.slot] = {strip, top, y, patch};
            }
            const bool is_needed = top + lane < end;
            unsigned char* s_row = s_ring + at.slot * Chunks::kStageBytes + lane * Chunks::kPitch;
            if constexpr (kIsAnywhere) {
                copy_unmoved(is_needed, s_row, row(is_needed ? top + lane : top, t + outside),
                             min(Chunks::kRowBytes, rows.last - t) - outside, outside);
            } else {
                if (lane == 0) s.full[at.slot].arrive_expecting(min(kStageRows, end - top) * bytes);
                __syncwarp(kLaneMask);
                if (is_needed) s.full[at.slot].copy(s_row + skip, row(top + lane, t + skip), bytes);
            }
            at.advance(1, plan.slots);
        }
    }

    /// Copies a row from the multiple of 16 before it. move_rows() moves it to s_row, behind the
    /// `skip` bytes outside the image.
    __device__ __forceinline__ void copy_unmoved(bool is_needed, unsigned char* s_row,
                                                 const unsigned char* d_from, int bytes, int skip) {
        const int past = past_16(d_from);
        const auto apart = reinterpret_cast<std::uintptr_t>(d_from) - past -
                           reinterpret_cast<std::uintptr_t>(s_row);
        int ahead = static_cast<int>(apart % 128);  // a multiple of 16; see kSkew
        if (ahead + past < skip) ahead += 16;
        s.shift[at.slot][lane] = ahead + past - skip;
        bytes = is_needed ? (past + bytes + 15) / 16 * 16 : 0;
        s.copied[at.slot].arrive_expecting(bytes);
        if (is_needed) s.copied[at.slot].copy(s_row + ahead, d_from - past, bytes);
    }

    /// Returns where the row begins that the border rule puts at y.
    __device__ __forceinline__ const unsigned char* row(int y, int t) const {
        if (0 <= y && y < rows.job.height) return rows.in_row(y) + t;
        const int found = rows.row(y);
        return found < 0 ? d_outside : rows.in_row(found) + t;
    }

    /// Returns the parities of this stage and of the next ones.
    __device__ __forceinline__ int next_patch(bool is_first) {
        int patch = is_first ? 1 << Stage::kMaxStages : 0;
        Place then = at;
#pragma unroll
        for (int j = 0; j < Chunks::kStages; ++j, then.advance(1, plan.slots))
            patch |= (parities >> then.slot & 1) << j;
        parities ^= 1U << at.slot;
        return patch;
    }

    __device__ __forceinline__ void fetch_shared() {
        const auto all = static_cast<std::int64_t>(plan.strips) * plan.shared_steps;
        int begin = static_cast<int>(all * blockIdx.x / gridDim.x);
        const int end = static_cast<int>(all * (blockIdx.x + 1) / gridDim.x);
        while (begin < end) {
            const int strip = begin / plan.shared_steps, first = begin % plan.shared_steps;
            const int steps = min(end - begin, plan.shared_steps - first);
            fetch(strip, first, steps);
            begin += steps;
        }
    }

    __device__ __forceinline__ void fetch_tiles() {
        const int tiles = plan.tiles();
        if (tiles == 0) return;
        for (;;) {
            // A tile is taken only when a slot is free. Otherwise a busy block would hold a tile
            // that an idle block could compute.
            s.empty[at.slot].wait(at.parity ^ 1);
            const int mine = lane == 0 ? static_cast<int>(atomicAdd(plan.d_next, 1U)) : 0;
            const int next = __shfl_sync(kLaneMask, mine, 0);
            if (next >= tiles) {
                // Each block asks once too often. The last one resets the counter for the next
                // launch.
                const int last = tiles + static_cast<int>(gridDim.x) - 1;
                if (lane == 0 && next == last) *plan.d_next = 0;
                return;
            }
            const int first = plan.shared_steps + next / plan.strips * plan.tile_steps;
            fetch(next % plan.strips, first, min(plan.tile_steps, plan.steps - first));
        }
    }

    __device__ void run() {
        fetch_shared();
        fetch_tiles();
        for (int i = 0; i < groups; ++i) {  // each warpgroup begins only every third stage
            s.empty[at.slot].wait(at.parity ^ 1);
            if (lane == 0) s.stage[at.slot] = {0, 0, Stage::kEnd, Stage::kInside};
            __syncwarp(kLaneMask);
            if constexpr (kIsAnywhere)
                s.copied[at.slot].arrive();
            else if (lane == 0)
                s.full[at.slot].arrive();
            at.advance(1, plan.slots);
        }
    }
};

}  // namespace convolab::tensor_cores
