// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed -- two or four samples per register, close to the speed of a copy
// Source: new.
// Idea: with minimal traffic, one byte read and one written per sample, the arithmetic must hide
//     behind the memory accesses. A warp marches down a strip of the image (common/cuda/strips.hpp),
//     and each instruction works on two or four samples: 16-bit halves for the binomial filters
//     (parts/packed_binomial.hpp), dot products of bytes for all other filters
//     (parts/packed_dots.hpp), taps of more than 8 bits as digits (parts/packed_wide.hpp).
// Since fused: integers, columns before rows, no barrier, K a template parameter. The arithmetic of
//     the 5x5 binomial takes a warp about 100 instructions per 480 samples.
// Limit: memory bandwidth, as for a copy. With K = 9 the multiply unit: eight dot products per
//     sample, at half rate.
// Alone: build/labs/07_separable/lab bench --variant fused,packed --ksize 3,5,7,9 --size 4k,8k
#include "common/cuda/dispatch.hpp"
#include "labs/07_separable/parts/packed_binomial.hpp"
#include "labs/07_separable/parts/packed_dots.hpp"
#include "labs/07_separable/parts/packed_wide.hpp"

namespace convolab::separable {

/// Copies of the next rows are under way while a row is used: the ring has Body::kRowsAhead slots.
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

template <class Body>
static __global__ void __launch_bounds__(32 * kStripsPerBlock, Body::kBlocksPerMultiprocessor)
    convolve(const GRID_CONSTANT ByteRows rows, const GRID_CONSTANT typename Body::Taps taps) {
    __shared__ __align__(16) unsigned char s_rings[kStripsPerBlock][Body::kRowsAhead][kSlotBytes];
    unsigned char* s_ring = s_rings[threadIdx.y][0];
    const StripPlace at = strip_place<Body>(rows);
    if (!at.has_work) return;
    if (at.at_edge)
        march(Strip<Body, true>(rows, taps, s_ring, at.base, at.y));
    else
        march(Strip<Body, false>(rows, taps, s_ring, at.base, at.y));
}

template <class Body>
static std::unique_ptr<Convolver> make(const Job& job, const typename Body::Taps& taps) {
    auto v = std::make_unique<PackedConvolver>(job);
    v->prepare_strips<Body>(convolve<Body>);
    v->launches([v = v.get(), taps] { convolve<Body><<<v->grid, v->block>>>(v->rows, taps); });
    return v;
}

/// The body that the filter allows, the fastest first.
template <int C, int K>
static std::unique_ptr<Convolver> choose(const Job& job) {
    constexpr std::size_t kLargeBytes = std::size_t{28} << 20;  // 4K RGB is 24 MiB, 8K gray 32
    const SeparableTaps taps = reduced(taps_of(job.filter));
    if constexpr (K <= 5)
        if (is_binomial(taps)) {
            if (K == 5 && job.image().bytes() > kLargeBytes)
                return make<BinomialBody<C, K, true>>(job, {});
            return make<BinomialBody<C, K, false>>(job, {});
        }
    if (const auto shifted = over_65536(taps))
        return make<DotBody<C, K, Over65536>>(job, dot_taps(*shifted));
    if (fits(taps, -128, 127)) return make<DotBody<C, K, OverAny>>(job, dot_taps(taps));
    return make<WideBody<C, K>>(job, wide_taps(taps));
}

extern const Variant packed{
    .name = "packed",
    .idea = "bytes two or four to a register, down the columns and along the rows at once",
    .make =
        [](const Job& job) {
            return with_channels(job, [&]<int C>() {
                return with_ksize<3, 5, 7, 9>(job, [&]<int K>() { return choose<C, K>(job); });
            });
        },
    .types = {PixelType::uint8},
    .memory = PackedConvolver::memory,
};

}  // namespace convolab::separable
