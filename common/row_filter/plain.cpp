// SPDX-License-Identifier: MIT
// RowFilter without vector kernels: loops of a fixed length with a fixed tap, which the compiler
// vectorises with the instructions that every such machine has. A ring buffer has K rows, of sums
// or of samples.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "common/convolution/rounding.hpp"
#include "common/row_filter/row_filter.hpp"

namespace convolab {
namespace {

constexpr std::int64_t kChunk = 256;  // samples whose sums fit the first-level cache

template <class Sum>
using Sums = std::array<Sum, kChunk>;

/// result[s] = sum over n of taps[n] * terms(n)[s] for `count` samples, at most kChunk. Sum is
/// uint16 where the sums fit, else float, which is exact too (common/convolution/filter.hpp): of
/// both any machine multiplies more at once than of 32-bit integers.
template <class Sum, class Terms>
Sums<Sum> add_up(const std::vector<std::int32_t>& taps, std::int64_t count, const Terms& terms) {
    Sums<Sum> sums{};  // a local array: the compiler knows that it does not overlap the input
    using Wide = std::conditional_t<std::is_same_v<Sum, float>, float, std::uint32_t>;
    for (std::size_t n = 0; n < taps.size(); ++n) {
        const auto tap = static_cast<Sum>(taps[n]);
        const auto* x = terms(n);
        const auto add = [&](std::int64_t s) {
            sums[s] = static_cast<Sum>(sums[s] + Wide{tap} * static_cast<Sum>(x[s]));
        };
        if (count == kChunk)
            for (std::int64_t s = 0; s < kChunk; ++s) add(s);
        else
            for (std::int64_t s = 0; s < count; ++s) add(s);
    }
    return sums;
}

/// sums[s] / divisor, rounded and clamped, for `count` samples.
template <class Sum>
void round_samples(std::uint32_t divisor, std::int64_t count, const Sum* sums, std::uint8_t* out) {
    if (std::has_single_bit(divisor)) {
        const int shift = std::countr_zero(divisor);
        const auto half = static_cast<std::int32_t>(divisor / 2);
        for (std::int64_t s = 0; s < count; ++s)
            out[s] = static_cast<std::uint8_t>(
                std::clamp((static_cast<std::int32_t>(sums[s]) + half) >> shift, 0, 255));
    } else {
        const auto by = static_cast<float>(divisor);
        for (std::int64_t s = 0; s < count; ++s)
            out[s] = round_to_byte(static_cast<float>(sums[s]), by);
    }
}

}  // namespace

/// Source row y with p border pixels on each side; outside the image, what the border rule says.
void RowFilter::load(std::int64_t y, InRows image, std::uint8_t* line) const {
    const std::int64_t row = source_index(border_.rule, y, image_.height());
    if (row < 0) {
        std::memset(line, border_.value, static_cast<std::size_t>(line_samples_));
        return;
    }
    const int channels = image_.channels();
    const std::int64_t width = image_.width() * channels;
    const std::uint8_t* in = image.row(row);
    if (border_.rule == BorderRule::valid) {
        std::memcpy(line, in, static_cast<std::size_t>(width));
        return;
    }
    const std::size_t p = edge_source_.size() / 2;
    std::memcpy(line + p * channels, in, static_cast<std::size_t>(width));
    for (std::size_t e = 0; e < 2 * p; ++e) {
        std::uint8_t* pixel = e < p ? line + e * channels : line + width + e * channels;
        if (edge_source_[e] < 0)
            std::memset(pixel, border_.value, channels);
        else
            std::memcpy(pixel, in + edge_source_[e] * channels, channels);
    }
}

template <class RowSum, class Sum>
void RowFilter::separable_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                               Scratch& scratch, RowSum* ring) const {
    const int k = filter_.ksize();
    const int shift = border_.rule == BorderRule::valid ? 0 : filter_.radius();
    for (std::int64_t y = y0; y < y1; ++y) {
        for (std::int64_t r = y == y0 ? y : y + k - 1; r < y + k; ++r) {
            const std::uint8_t* line = scratch.samples.data();
            load(r - shift, in, scratch.samples.data());
            for (std::int64_t s = 0; s < out_samples_; s += kChunk) {
                const std::int64_t count = std::min(kChunk, out_samples_ - s);
                const auto sums = add_up<RowSum>(plan_.row, count, [&](std::size_t i) {
                    return line + s + static_cast<std::int64_t>(i) * image_.channels();
                });
                std::copy_n(sums.data(), count, ring + r % k * out_samples_ + s);
            }
        }
        for (std::int64_t s = 0; s < out_samples_; s += kChunk) {
            const std::int64_t count = std::min(kChunk, out_samples_ - s);
            const auto sums = add_up<Sum>(plan_.column, count, [&](std::size_t j) {
                return ring + (y + static_cast<std::int64_t>(j)) % k * out_samples_ + s;
            });
            round_samples(plan_.divisor, count, sums.data(), out.row(y) + s);
        }
    }
}

void RowFilter::direct_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                            Scratch& scratch) const {
    const int k = filter_.ksize();
    const int shift = border_.rule == BorderRule::valid ? 0 : filter_.radius();
    std::uint8_t* ring = scratch.samples.data();
    for (std::int64_t y = y0; y < y1; ++y) {
        for (std::int64_t r = y == y0 ? y : y + k - 1; r < y + k; ++r)
            load(r - shift, in, ring + r % k * line_samples_);
        for (std::int64_t s = 0; s < out_samples_; s += kChunk) {
            const std::int64_t count = std::min(kChunk, out_samples_ - s);
            const auto terms = [&](std::size_t n) {
                const auto j = static_cast<std::int64_t>(n) / k;
                const auto i = static_cast<std::int64_t>(n) % k;
                return ring + (y + j) % k * line_samples_ + i * image_.channels() + s;
            };
            const auto sums = add_up<float>(filter_.taps(), count, terms);
            round_samples(plan_.divisor, count, sums.data(), out.row(y) + s);
        }
    }
}

void RowFilter::plain_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                           Scratch& scratch) const {
    if (plan_.row.empty())
        direct_rows(y0, y1, in, out, scratch);
    else if (plan_.sums == Plan::Sums::all16)
        separable_rows<std::uint16_t, std::uint16_t>(y0, y1, in, out, scratch,
                                                     scratch.row_sums.data());
    else if (plan_.sums == Plan::Sums::row16)
        separable_rows<std::uint16_t, float>(y0, y1, in, out, scratch, scratch.row_sums.data());
    else
        separable_rows<float, float>(y0, y1, in, out, scratch, scratch.wide_sums.data());
}

}  // namespace convolab
