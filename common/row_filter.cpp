// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/row_filter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/rounding.hpp"

namespace convolab {

RowFilter::RowFilter(const Job& job)
    : image_(convert(job.image(), PixelType::uint8, Layout::interleaved)),
      filter_(job.filter),
      border_(job.border),
      product_(job.filter.outer_product()),
      divisors_(job),
      out_samples_(job.out_width() * image_.channels()),
      line_samples_(out_samples_ + 2LL * filter_.radius() * image_.channels()) {
    const std::int64_t p = filter_.radius();
    for (std::int64_t x = -p; x < 0; ++x)
        edge_source_.push_back(source_index(border_.rule, x, image_.width()));
    for (std::int64_t x = image_.width(); x < image_.width() + p; ++x)
        edge_source_.push_back(source_index(border_.rule, x, image_.width()));
}

RowFilter::Scratch RowFilter::make_scratch() const {
    Scratch scratch;
    const auto k = static_cast<std::size_t>(filter_.ksize());
    scratch.samples.resize((product_ ? 1 : k) * static_cast<std::size_t>(line_samples_));
    if (product_) scratch.row_sums.resize(k * static_cast<std::size_t>(out_samples_));
    scratch.sums.resize(static_cast<std::size_t>(out_samples_));
    return scratch;
}

/// Source row y (outside the image: as the border rule says) with its p border pixels on each side.
void RowFilter::load(std::int64_t y, std::uint8_t* line) const {
    const std::int64_t row = source_index(border_.rule, y, image_.height());
    if (row < 0) {
        std::memset(line, border_.value, static_cast<std::size_t>(line_samples_));
        return;
    }
    const int channels = image_.channels();
    const std::int64_t width = image_.width() * channels;
    const std::uint8_t* in = image_.data<std::uint8_t>() + row * width;
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

void RowFilter::sum_row(const std::uint8_t* line, std::int32_t* sums) const {
    std::fill(sums, sums + out_samples_, 0);
    for (const std::int32_t tap : product_->row) {
        for (std::int64_t s = 0; s < out_samples_; ++s) sums[s] += tap * line[s];
        line += image_.channels();
    }
}

void RowFilter::round_row(std::int64_t y, const std::int32_t* sums, std::uint8_t* out) const {
    const auto divisor = static_cast<std::uint32_t>(filter_.divisor());
    if (border_.rule == BorderRule::renormalise) {
        const int channels = image_.channels();
        for (std::int64_t s = 0; s < out_samples_; ++s)
            out[s] = round_to_byte(static_cast<float>(sums[s]),
                                   static_cast<float>(divisors_.at(s / channels, y)));
    } else if (std::has_single_bit(divisor)) {
        const int shift = std::countr_zero(divisor);
        const auto half = static_cast<std::int32_t>(divisor / 2);
        for (std::int64_t s = 0; s < out_samples_; ++s)
            out[s] = static_cast<std::uint8_t>(std::clamp((sums[s] + half) >> shift, 0, 255));
    } else {
        const auto by = static_cast<float>(divisor);
        for (std::int64_t s = 0; s < out_samples_; ++s)
            out[s] = round_to_byte(static_cast<float>(sums[s]), by);
    }
}

void RowFilter::separable_rows(std::int64_t y0, std::int64_t y1, Image& out,
                               Scratch& scratch) const {
    const int k = filter_.ksize();
    const int shift = border_.rule == BorderRule::valid ? 0 : filter_.radius();
    std::int32_t* ring = scratch.row_sums.data();
    for (std::int64_t y = y0; y < y1; ++y) {
        for (std::int64_t r = y == y0 ? y : y + k - 1; r < y + k; ++r) {
            load(r - shift, scratch.samples.data());
            sum_row(scratch.samples.data(), ring + r % k * out_samples_);
        }
        std::int32_t* sums = scratch.sums.data();
        std::fill(sums, sums + out_samples_, 0);
        for (int j = 0; j < k; ++j) {
            const std::int32_t tap = product_->column[j];
            const std::int32_t* row = ring + (y + j) % k * out_samples_;
            for (std::int64_t s = 0; s < out_samples_; ++s) sums[s] += tap * row[s];
        }
        round_row(y, sums, out.data<std::uint8_t>() + y * out_samples_);
    }
}

void RowFilter::direct_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const {
    const int k = filter_.ksize();
    const int shift = border_.rule == BorderRule::valid ? 0 : filter_.radius();
    std::uint8_t* ring = scratch.samples.data();
    for (std::int64_t y = y0; y < y1; ++y) {
        for (std::int64_t r = y == y0 ? y : y + k - 1; r < y + k; ++r)
            load(r - shift, ring + r % k * line_samples_);
        std::int32_t* sums = scratch.sums.data();
        std::fill(sums, sums + out_samples_, 0);
        for (int j = 0; j < k; ++j)
            for (int i = 0; i < k; ++i) {
                const std::int32_t tap = filter_.tap(i, j);
                const std::uint8_t* line =
                    ring + (y + j) % k * line_samples_ + i * image_.channels();
                for (std::int64_t s = 0; s < out_samples_; ++s) sums[s] += tap * line[s];
            }
        round_row(y, sums, out.data<std::uint8_t>() + y * out_samples_);
    }
}

void RowFilter::rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const {
    if (product_)
        separable_rows(y0, y1, out, scratch);
    else
        direct_rows(y0, y1, out, scratch);
}

}  // namespace convolab
