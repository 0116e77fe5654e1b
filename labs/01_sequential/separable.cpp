// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// separable (videostream2021, to do list)
//
// The idea: a filter that is the outer product of a column and a row needs 2K multiply-adds a
// sample instead of K^2: one pass along the rows, its sums kept as a second image, one pass along
// the columns.
//
// Since aos and soa: 10 taps instead of 25 for 5x5; and the innermost loop runs along the row with
// a fixed tap, no test and no dependence from one step to the next, so the compiler makes it SIMD.
//
// What limits it: the image of row sums, four bytes a sample, goes out to memory and comes back K
// times where a row does not fit the cache.
//
// Alone: build/labs/01_sequential/lab bench --variant separable --size 1080p
#include <vector>

#include "common/base/error.hpp"
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_convolver.hpp"

namespace convolab {
namespace {

class Separable final : public CpuConvolver {
  public:
    Separable(const Job& job, Filter::OuterProduct product)
        : CpuConvolver(job),
          padded_(pad(job, PixelType::uint8)),
          product_(std::move(product)),
          row_samples_(output_.width() * output_.channels()),
          row_sums_(static_cast<std::size_t>(padded_.height() * row_samples_)),
          sums_(static_cast<std::size_t>(row_samples_)) {}

    void run() override {
        for (std::int64_t y = 0; y < padded_.height(); ++y) horizontal(y);
        for (std::int64_t y = 0; y < output_.height(); ++y) vertical(y);
    }

  private:
    void horizontal(std::int64_t y) {
        const auto* in = padded_.data<std::uint8_t>() + padded_.index(0, y, 0);
        std::int32_t* sums = row_sums_.data() + y * row_samples_;
        std::fill(sums, sums + row_samples_, 0);
        for (const std::int32_t tap : product_.row) {
            for (std::int64_t s = 0; s < row_samples_; ++s) sums[s] += tap * in[s];
            in += padded_.channels();
        }
    }

    void vertical(std::int64_t y) {
        std::fill(sums_.begin(), sums_.end(), 0);
        const std::int32_t* rows = row_sums_.data() + y * row_samples_;
        for (const std::int32_t tap : product_.column) {
            for (std::int64_t s = 0; s < row_samples_; ++s) sums_[s] += tap * rows[s];
            rows += row_samples_;
        }
        auto* out = output_.data<std::uint8_t>() + y * row_samples_;
        const int channels = output_.channels();
        for (std::int64_t x = 0; x < output_.width(); ++x) {
            const auto divisor = static_cast<float>(divisors_.at(x, y));
            for (std::int64_t s = x * channels; s < (x + 1) * channels; ++s)
                out[s] = round_to_byte(static_cast<float>(sums_[s]), divisor);
        }
    }

    Image padded_;
    Filter::OuterProduct product_;
    std::int64_t row_samples_;
    std::vector<std::int32_t> row_sums_;  // the padded image's height x row_samples_
    std::vector<std::int32_t> sums_;      // one row of the output
};

std::unique_ptr<Convolver> make(const Job& job) {
    auto product = job.filter.outer_product();
    if (!product)
        throw Unsupported("The filter '" + job.filter.name() +
                          "' is not the outer product of a column and a row.");
    return std::make_unique<Separable>(job, std::move(*product));
}

MemoryNeed memory(const Job& job) {
    const std::int64_t r = job.filter.radius();
    const std::int64_t padded = (job.out_width() + 2 * r) * (job.out_height() + 2 * r);
    return {(5 * padded + job.out_width() * job.out_height()) * job.image().channels(), 0};
}

}  // namespace

extern const Variant separable;
const Variant separable{
    .name = "separable",
    .idea =
        "row pass, then column pass: 2K taps instead of K^2, for filters that are outer products",
    .make = make,
    .memory = memory,
};

}  // namespace convolab
