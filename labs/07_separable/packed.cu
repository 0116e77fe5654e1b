// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed (new): bytes two or four to a register, close to the speed of a copy.
//
// Idea: a byte read and a byte written are the least there is; all else has to fit beside them. A
//   warp marches down a strip of the image (common/cuda/strips.hpp) and each instruction works on
//   two or four samples: 16-bit halves for the binomial filters (packed_binomial.hpp), dot products
//   of bytes for all others (packed_dots.hpp); taps over 8 bits are digits (packed_wide.hpp).
// Since fused: integers, columns before rows, no barrier, no samples in floats; K is a template
//   parameter. A sample of the 5x5 binomial costs a quarter of an instruction.
// What limits it: memory, at last: 0.9 of the speed of a copy at 8K. For K 9 the multiply unit:
//   eight dot products a sample at half rate.
// Alone: build/labs/07_separable/lab bench --variant fused,packed --ksize 3,5,7,9 --size 4k,8k
#include "labs/07_separable/packed_binomial.hpp"
#include "labs/07_separable/packed_dots.hpp"
#include "labs/07_separable/packed_wide.hpp"

namespace convolab::separable {
namespace {

constexpr std::size_t kLargeBytes = std::size_t{28} << 20;  // 4K RGB is 24 MiB, 8K gray 32

using Made = std::unique_ptr<Convolver>;

[[noreturn]] void refuse_ksize(int ksize) {
    throw Unsupported("The packed kernels are compiled for filters of side 3, 5, 7 and 9; " +
                      std::to_string(ksize) + " is not among them.");
}

template <class Body>
Made make_body(const Job& job, const typename Body::Taps& taps) {
    return std::make_unique<Packed<Body>>(job, taps);
}

template <int channels, class Arithmetic>
Made make_dots(const Job& job, const SeparableTaps& taps) {
    switch (job.filter.ksize()) {
        case 3:
            return make_body<DotBody<channels, 3, Arithmetic>>(job, dot_taps(taps));
        case 5:
            return make_body<DotBody<channels, 5, Arithmetic>>(job, dot_taps(taps));
        case 7:
            return make_body<DotBody<channels, 7, Arithmetic>>(job, dot_taps(taps));
        case 9:
            return make_body<DotBody<channels, 9, Arithmetic>>(job, dot_taps(taps));
        default:
            refuse_ksize(job.filter.ksize());
    }
}

template <int channels>
Made make_for(const Job& job) {
    const SeparableTaps taps = reduced(taps_of(job.filter));
    const auto is_binomial = [&taps](const std::vector<std::int32_t>& line, std::int32_t divisor) {
        return taps.column == line && taps.row == line && taps.divisor == divisor;
    };
    if (is_binomial({1, 2, 1}, 16)) return make_body<BinomialBody<channels, 3, false>>(job, {});
    if (is_binomial({1, 4, 6, 4, 1}, 256)) {
        if (job.image().bytes() > kLargeBytes)
            return make_body<BinomialBody<channels, 5, true>>(job, {});
        return make_body<BinomialBody<channels, 5, false>>(job, {});
    }
    if (const auto shifted = over_65536(taps)) return make_dots<channels, Over65536>(job, *shifted);
    if (fits(taps, -128, 127)) return make_dots<channels, OverAny>(job, taps);
    return make_wide(job, taps);
}

Made make(const Job& job) {
    if (job.filter.ksize() < 3 || job.filter.ksize() > 9) refuse_ksize(job.filter.ksize());
    return for_channels(job, [&job](auto c) { return make_for<decltype(c)::value>(job); });
}

}  // namespace

extern const Variant packed;
const Variant packed{
    .name = "packed",
    .idea = "bytes two or four to a register, down the columns and along the rows at once",
    .make = make,
    .types = {PixelType::uint8},
    .memory = PackedConvolver::memory,
};

}  // namespace convolab::separable
