// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// packed (new): four samples an instruction, for any filter of side 3, 5 or 7.
//
// Idea: shared memory as a pipeline instead of a tile. A warp marches down a strip of the image,
//   copies of the next rows under way while it computes (common/cuda/strips.hpp), and keeps the
//   last K rows in registers, four samples to a word, so that one dp4a is four multiply-adds.
// Since n_batch: bytes instead of floats, K a template parameter, no barrier, no conversion. 5x5
//   costs 10 dp4a a sample where the float tile has 25 loads from shared memory and 25
//   multiply-adds.
// What limits it: the multiplier, which takes a warp's dp4a in two cycles; for separable filters
//   lab 07 needs half as many.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch,packed --ksize 3,5,7 --size 4k,8k
#include <numeric>

#include "labs/05_cuda_shared/packed_direct.hpp"

namespace convolab::cuda_shared {
namespace {

using Made = std::unique_ptr<Convolver>;

/// The word of the window and the byte in it that hold the samples under row j of the filter.
struct Place {
    int word, byte;
};
constexpr Place place(int ksize, int j) {
    const int age = ksize - 1 - j;  // 0: the newest row
    if (ksize == 5) return age == 0 ? Place{0, 3} : Place{1, 4 - age};
    return {age / 4, 3 - age % 4};
}

/// Taps and divisor without their common factor, as digits; `digits` says how many are needed.
/// Throws Unsupported where two are not enough.
DirectTaps direct_taps(const Filter& filter, int& digits) {
    std::int32_t factor = filter.divisor();
    for (const std::int32_t tap : filter.taps()) factor = std::gcd(factor, tap);
    DirectTaps taps{};
    taps.start = filter.divisor() / factor / 2;
    taps.division = fast_division(filter.divisor() / factor);
    digits = 1;
    for (int j = 0; j < filter.ksize(); ++j)
        for (int i = 0; i < filter.ksize(); ++i) {
            const std::int32_t tap = filter.tap(i, j) / factor;
            const std::int32_t low = ((tap + 128) & 255) - 128;
            const std::int32_t high = (tap - low) / 256;
            if (high < -128 || high > 127)
                throw Unsupported(
                    "The packed kernel takes taps from -32768 to 32639; the filter '" +
                    filter.name() + "' has one of " + std::to_string(tap) + ".");
            if (high != 0) digits = 2;
            const Place at = place(filter.ksize(), j);
            const auto put = [&](unsigned& word, std::int32_t digit) {
                word |= (static_cast<unsigned>(digit) & 255U) << (8 * at.byte);
            };
            put(taps.digits[0][at.word][i], low);
            put(taps.digits[1][at.word][i], high);
        }
    return taps;
}

template <int channels, int ksize>
Made make_body(const Job& job) {
    int digits = 0;
    const DirectTaps taps = direct_taps(job.filter, digits);
    if (digits == 1) return std::make_unique<Packed<DirectBody<channels, ksize, 1>>>(job, taps);
    return std::make_unique<Packed<DirectBody<channels, ksize, 2>>>(job, taps);
}

template <int channels>
Made make_for(const Job& job) {
    switch (job.filter.ksize()) {
        case 3:
            return make_body<channels, 3>(job);
        case 5:
            return make_body<channels, 5>(job);
        case 7:
            return make_body<channels, 7>(job);
        default:
            throw Unsupported("The packed kernels are compiled for filters of side 3, 5 and 7; " +
                              std::to_string(job.filter.ksize()) + " is not among them.");
    }
}

Made make(const Job& job) {
    return for_channels(job, [&job](auto c) { return make_for<decltype(c)::value>(job); });
}

}  // namespace

extern const Variant packed;
const Variant packed{
    .name = "packed",
    .idea = "four samples an instruction, rows in a pipeline of asynchronous copies",
    .make = make,
    .types = {PixelType::uint8},
    .memory = PackedConvolver::memory,
};

}  // namespace convolab::cuda_shared
