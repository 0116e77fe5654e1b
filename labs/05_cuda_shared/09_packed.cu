// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed -- four multiply-adds per instruction, for any filter of side 3, 5 or 7
// Source: new.
// Idea: shared memory as a pipeline in place of a tile. A warp marches down a strip of the image, 16
//     bytes per lane (one step of it: common/cuda/strips.hpp):
//         start the copies of the first rows to shared memory
//         for each row: wait for its copy; feed it to the body; start the copy of a later row;
//                       store the output row that the body emits
//     The body keeps the last K rows in registers, four samples per word, so that one dp4a
//     instruction does four multiply-adds (parts/packed_direct.hpp).
// Since n_batch: bytes in place of floats, K a template parameter, no barrier, no conversion. 5x5
//     costs 10 dp4a per sample, where the tile of floats has 25 loads from shared memory and 25
//     multiply-adds.
// Limit: compute: dp4a starts at half the rate of a float multiply-add. For separable filters lab 07 needs half as many dot
//     products. Taps of more than 8 bits need twice as many: they are split into two digits.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch,packed --ksize 3,5,7 --size 4k,8k
#include "common/cuda/dispatch.hpp"
#include "common/cuda/loops.hpp"
#include "labs/05_cuda_shared/parts/packed_direct.hpp"

namespace convolab::cuda_shared {

// The copies of the next rows run while a row is used: the ring has Body::kRowsAhead slots.
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

// One warp per strip. Body: the arithmetic, for its number of channels, K and taps.
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

template <class Body>
static std::unique_ptr<Convolver> make(const Job& job, const typename Body::Taps& taps) {
    auto v = std::make_unique<PackedConvolver>(job);
    v->prepare_strips<Body>(convolve_strips<Body>);
    v->launches(
        [v = v.get(), taps] { convolve_strips<Body><<<v->grid, v->block>>>(v->rows, taps); });
    return v;
}

extern const Variant packed{
    .name = "packed",
    .idea = "four multiply-adds per instruction, rows in a pipeline of asynchronous copies",
    .make =
        [](const Job& job) {
            return with_channels(job, [&]<int C>() {
                return with_ksize<3, 5, 7>(job, [&]<int K>() {
                    int digits = 0;
                    const DirectTaps taps = direct_taps(job.filter, digits);
                    return digits == 1 ? make<DirectBody<C, K, 1>>(job, taps)
                                       : make<DirectBody<C, K, 2>>(job, taps);
                });
            });
        },
    .types = {PixelType::uint8},
    .memory = PackedConvolver::memory,
};

}  // namespace convolab::cuda_shared
