// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed -- two or four samples per register, close to the speed of a copy
// Source: new.
// Idea: traffic is minimal, one byte read and one written per sample, so the arithmetic must take less
//     time than the memory accesses that it overlaps. A warp marches down a strip of the image
//     (common/cuda/strips.hpp), and each instruction works on two or four samples: 16-bit halves for
//     the binomial filters (parts/packed_binomial.hpp), dot products of bytes for all other filters
//     (parts/packed_dots.hpp). Taps of more than 8 bits are split into digits (parts/packed_wide.hpp).
// Since fused: integers, columns before rows, no barrier, K a template parameter. For the 5x5
//     binomial a warp needs about 100 instructions per 480 samples.
// Limit: memory bandwidth, as for a copy. With K = 9 arithmetic: eight dot products per sample, which
//     run at half rate.
// Alone: build/labs/07_separable/lab bench --variant fused,packed --ksize 3,5,7,9 --size 4k,8k
#include "common/cuda/dispatch.hpp"
#include "labs/07_separable/parts/packed_binomial.hpp"
#include "labs/07_separable/parts/packed_dots.hpp"
#include "labs/07_separable/parts/packed_wide.hpp"

namespace convolab::separable {

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
    convolve(const GRID_CONSTANT ByteRows rows, const GRID_CONSTANT typename Body::Taps taps) {
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
    v->prepare_strips<Body>(convolve<Body>);
    v->launches([v = v.get(), taps] { convolve<Body><<<v->grid, v->block>>>(v->rows, taps); });
    return v;
}

/// The body that the filter allows, the fastest first.
template <int C, int K>
static std::unique_ptr<Convolver> choose(const Job& job) {
    constexpr std::size_t kLargeBytes = std::size_t{28} << 20;  // with its output over the L2 cache
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
    .idea = "two or four samples per register, both passes in one kernel",
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
