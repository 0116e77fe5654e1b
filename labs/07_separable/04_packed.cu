// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed -- two or four samples per register, close to the speed of a copy
// Source: new.
// Idea: traffic is minimal, one byte read and one written per sample, so the arithmetic must take less
//     time than the memory accesses that it overlaps. A warp marches down a strip of the image:
//         start the copies of the first rows to shared memory
//         for each row: wait for its copy; feed it to the body; start the copy of a later row;
//                       store the output row that the body emits
//     Each instruction of the body works on two or four samples: 16-bit halves for the binomial
//     filters (parts/packed_binomial.hpp), dot products of bytes for all other filters
//     (parts/packed_dots.hpp). Taps of more than 8 bits are split into digits (parts/packed_wide.hpp).
//     parts/packed_choice.hpp chooses the body.
// Since fused: integers, columns before rows, no barrier, K a template parameter.
// Limit: at 8k memory bandwidth, as for a copy, with the binomial filters of RGB and K = 3 and 5. With
//     K = 9 arithmetic: eight dot products per sample, which run at half rate.
// Alone: build/labs/07_separable/lab bench --variant fused,packed --ksize 3,5,7,9 --size 4k,8k
#include "common/cuda/loops.hpp"
#include "labs/07_separable/parts/packed_band.hpp"
#include "labs/07_separable/parts/packed_choice.hpp"

namespace convolab::separable {

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

PackedBand packed_band(const Job& job, const RowsOfBand& band) {
    const std::int64_t rows = band.high - band.low;
    const std::int64_t row_bytes = job.image().width() * job.image().channels();
    return with_body(job, rows * row_bytes, [&]<class Body>(const typename Body::Taps& taps) {
        PackedBand kernel(job, band);
        kernel.prepare_strips<Body>(convolve_strips<Body>);
        kernel.launch = [taps, grid = kernel.grid, block = kernel.block](const ByteRows& rows,
                                                                         cudaStream_t stream) {
            convolve_strips<Body><<<grid, block, 0, stream>>>(rows, taps);
        };
        return kernel;
    });
}

extern const Variant packed{
    .name = "packed",
    .idea = "two or four samples per register, both passes in one kernel",
    .make =
        [](const Job& job) {
            return with_body(
                job, job.image().samples(),
                [&]<class Body>(const typename Body::Taps& taps) { return make<Body>(job, taps); });
        },
    .types = {PixelType::uint8},
    .memory = PackedConvolver::memory,
};

}  // namespace convolab::separable
