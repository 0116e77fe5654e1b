// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernel of `packed` in lab 07, for bands: each warp marches down its strip (strips.hpp); what it
// computes is the Body.
#pragma once

#include "common/cuda/loops.hpp"
#include "common/cuda/strips.hpp"

namespace convolab {

/// The copies of the next rows run while a row is used: the ring has Body::kRowsAhead slots.
template <class Body, bool at_edge>
static __device__ __forceinline__ void march(Strip<Body, at_edge> strip) {
    constexpr int kAhead = Body::kRowsAhead;
    constexpr int kBefore = Body::kKsize - 1;  // rows that the first output needs before its last
    UNROLL
    for (int slot = 0; slot < kAhead; ++slot) strip.fetch(slot);
    UNROLL
    for (int k = 0; k < kBefore; ++k) strip.step(k % kAhead);
    ROLLED
    while (strip.has_rows()) {  // rounds of kAhead rows, so that each slot is a constant
        UNROLL
        for (int k = 0; k < kAhead; ++k) {
            strip.step((kBefore + k) % kAhead);  // the next input row: from the ring to registers
            strip.write();                       // the next output row
        }
    }
}

/// One warp per strip. Body: the arithmetic, for its number of channels, K and taps.
template <class Body>
static __global__ void __launch_bounds__(32 * kStripsPerBlock, Body::kBlocksPerMultiprocessor)
    convolve_strips(const GRID_CONSTANT ByteRows rows,
                    const GRID_CONSTANT typename Body::Taps taps) {
    __shared__ __align__(16) unsigned char s_rings[kStripsPerBlock][Body::kRowsAhead][kSlotBytes];
    unsigned char* s_ring = s_rings[threadIdx.y][0];
    const StripPlace at = strip_place<Body>(rows);
    if (!at.has_work) return;
    if (at.at_edge)  // with the border rule; all other strips have no test
        march(Strip<Body, true>(rows, taps, s_ring, at.base, at.y));
    else
        march(Strip<Body, false>(rows, taps, s_ring, at.base, at.y));
}

}  // namespace convolab
