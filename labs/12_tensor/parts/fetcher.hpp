// SPDX-License-Identifier: MIT
// Four lanes that start the copies into the ring of `wgmma` (stage_ring.hpp), a row each. They take
// the parts of strips that belong to their block, and then tiles. The lanes of a warp start their
// copies one after the other, so they are in two warps; in one if rows begin anywhere, because the
// other three must move these.
//
// No lane is a round behind another one, although some stages have only two rows: a stage is emptied
// when the next one is full, too, which takes all lanes.
#pragma once

#include "common/cuda/unaligned.hpp"
#include "labs/12_tensor/parts/stage_ring.hpp"

namespace convolab::tensor_cores {

template <class Chunks, int groups>
struct Fetcher {
    static constexpr bool kIsAnywhere = Chunks::kBegin == Begin::anywhere;
    const ByteRows& rows;
    const StripPlan& plan;
    const unsigned char* d_outside;  ///< what is copied if the border rule has no row
    RingState& s;
    unsigned char* s_ring;
    int row;  ///< which row of a stage this lane copies
    Place at{};
    Place unfinished{};  ///< of the next stage for the finishers
    int taken = 0;       ///< parity of s.taken

    /// Copies the stages of these steps.
    __device__ __forceinline__ void fetch(const Steps& steps) {
        const int t = Chunks::kStripBytes * steps.strip - plan.lead;
        const bool is_finished =
            !kIsAnywhere && rows.first <= t && t + Chunks::kRowBytes <= rows.last;
        // Bytes of a row that are left of the image, and not copied.
        const int outside = is_finished ? 0 : max(rows.first - t, 0);
        const int skip = kIsAnywhere ? outside : outside / 16 * 16;
        int top = kStageRows * steps.first + rows.job.origin;
        const int end = top + kStageRows * steps.count + rows.job.ksize - 1;  // of the needed rows
        const int last = rows.job.out_height + rows.job.origin + rows.job.ksize - 2;
#pragma unroll 1
        for (int k = 0; k < steps.count + Chunks::kStages - 1; ++k, top += kStageRows) {
            const int needed = min(kStageRows, end - top);
            const int found = rows.row(min(top + row, last));  // by the border rule
            const unsigned char* d_row = found < 0 ? d_outside : rows.in_row(found) + (t + skip);
            s.empty[at.slot].wait(at.parity ^ 1);
            if (row == 0)
                s.stage[at.slot] = {steps.strip, k < steps.count ? kStageRows * (steps.first + k)
                                                                 : Stage::kNoOutput};
            unsigned char* s_row = s_ring + at.slot * Chunks::kStageBytes + row * Chunks::kPitch;
            if (is_finished) {
                // The phase does not end before these arrivals, even if the copies do.
                if (row == 0) {
                    s.full[at.slot].arrive(kFinishingLanes - 1);
                    s.full[at.slot].arrive_expecting(needed * Chunks::kRowBytes);
                }
                if (row < needed) s.full[at.slot].copy(s_row, d_row, Chunks::kRowBytes);
            } else {
                copy_unfinished(row < needed, t, top, skip, d_row, s_row);
            }
            at.advance(1, plan.slots);
        }
    }

    /// Copies bytes `skip` and following of a row, as far as the image has them. Each 16 bytes that
    /// are copied contain at least one pixel.
    __device__ __forceinline__ void copy_unfinished(bool is_needed, int t, int top, int skip,
                                                    const unsigned char* d_from,
                                                    unsigned char* s_row) {
        int bytes = min(Chunks::kRowBytes, rows.last - t) - skip, to = skip;
        if constexpr (kIsAnywhere) {
            const int past = past_16(d_from);
            d_from -= past;
            bytes += past;
            to = before_move(d_from, s_row, skip - past);
        }
        bytes = is_needed ? (bytes + 15) / 16 * 16 : 0;
        Mbarrier& copied = s.copied[unfinished.slot];
        if (row == 0) s.unfinished[unfinished.slot] = {at.slot, t, top};
        copied.arrive_expecting(bytes);
        if (is_needed) copied.copy(s_row + to, d_from, bytes);
        unfinished.advance(1, kMaxSlots);
    }

    /// Returns where in a row of a stage a copy from d_from begins. If possible, both addresses are
    /// the same number of bytes after a multiple of 128; see kSkew. The finishers will move what is
    /// copied to byte `to`, which may be negative, and not a multiple of 16.
    __device__ __forceinline__ int before_move(const unsigned char* d_from,
                                               const unsigned char* s_row, int to) {
        const auto apart =
            reinterpret_cast<std::uintptr_t>(d_from) - reinterpret_cast<std::uintptr_t>(s_row);
        int from = static_cast<int>(apart % 128);
        if (from < to) from += 16;
        s.shift[unfinished.slot][row] = from - to;
        return from;
    }

    __device__ __forceinline__ Steps next_tile() {
        // A tile is taken only when a slot is free. Otherwise a busy block would hold a tile
        // that an idle block could compute.
        s.empty[at.slot].wait(at.parity ^ 1);
        if (row == 0) s.tile[taken] = static_cast<int>(atomicAdd(plan.d_next, 1U));
        s.taken.arrive();
        s.taken.wait(taken);
        const int tile = s.tile[taken];
        taken ^= 1;
        // Each block asks once too often; the last resets the counter for the next launch.
        const int last = plan.tiles() + static_cast<int>(gridDim.x) - 1;
        if (row == 0 && tile == last) atomicExch(plan.d_next, 0U);
        return plan.tile(tile);
    }

    __device__ void run() {
        int begin = plan.first_shared(blockIdx.x, gridDim.x);
        const int end = plan.first_shared(blockIdx.x + 1, gridDim.x);
#pragma unroll 1  // code that is not in a cache yet takes longer than a loop
        for (Steps next{};; fetch(next)) {
            next = begin < end ? plan.shared(begin, end) : next_tile();
            if (next.count == 0) break;
            begin += next.count;
        }
        for (int i = 0; i < groups; ++i) {  // each warpgroup begins only every third stage
            s.empty[at.slot].wait(at.parity ^ 1);
            if (row == 0) {
                s.stage[at.slot] = {0, Stage::kEnd};
                s.full[at.slot].arrive(kFinishingLanes);
            }
            at.advance(1, plan.slots);
        }
        for (int i = 0; i < kFinishingWarps<Chunks>; ++i) {
            if (row == 0) s.unfinished[unfinished.slot] = {Unfinished::kEnd, 0, 0};
            s.copied[unfinished.slot].arrive();
            unfinished.advance(1, kMaxSlots);
        }
    }
};

}  // namespace convolab::tensor_cores
