// SPDX-License-Identifier: MIT
// separable -- a row pass and a column pass: 2K taps instead of K^2
// Source: videostream2021, to do list (end of 3.4).
// Idea: a separable filter is the product of a column and a row. So one pass sums along the rows,
//     and a second pass adds up these row sums, down the columns.
// Since aos and soa: 5x5 takes 10 taps instead of 25. The innermost loop walks along the row with
//     one tap. It contains no test, and no sum waits for another, so the compiler uses SIMD.
// Limit: instructions. Each tap loads and stores the sum in memory, a 32-bit multiplication takes
//     several instructions with SSE2 (all that plain x86-64 offers), and the division takes one
//     sample at a time. The row sums take four bytes per sample, and are read K times.
// Alone: build/labs/01_sequential/lab bench --variant separable --size 1080p
#include "common/base/error.hpp"
#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/01_sequential/variants.hpp"

namespace convolab {
namespace {

using Taps = std::vector<std::int32_t>;

/// One pass: sums[s] = sum over n of taps[n] * in[s + n * step], for s from 0 to count - 1.
template <class T>
void add_up(const Taps& taps, const T* in, std::int64_t step, std::int64_t count,
            std::int32_t* sums) {
    std::fill_n(sums, count, 0);
    for (const std::int32_t tap : taps) {
        for (std::int64_t s = 0; s < count; ++s) sums[s] += tap * in[s];
        in += step;
    }
}

struct TwoPasses : Padded<std::uint8_t> {
    explicit TwoPasses(const Job& job)
        : Padded(job),
          row_sums(image.height() * job.out_width() * image.channels()),
          sums(job.out_width() * image.channels()) {
        const auto product = job.filter.outer_product();
        if (!product)
            throw Unsupported("The filter '" + job.filter.name() +
                              "' is not the outer product of a column and a row.");
        row = product->row;
        column = product->column;
    }

    Taps row, column;
    std::vector<std::int32_t> row_sums, sums;  // for all padded rows; for one output row

    /// How much memory this takes: 1 byte per padded sample, and 4 bytes per row sum.
    static std::int64_t bytes(const Job& job) { return 5 * padded_samples(job); }
};

void convolve(TwoPasses& job, Image& result) {
    const int channels = result.channels();
    const std::int64_t count = result.width() * channels;  // samples of an output row
    const std::int64_t padded = job.image.width() * channels;
    const auto* in = job.image.data<std::uint8_t>();
    auto* out = result.data<std::uint8_t>();
    std::int32_t* rows = job.row_sums.data();
    for (std::int64_t y = 0; y < job.image.height(); ++y)
        add_up(job.row, in + y * padded, channels, count, rows + y * count);
    for (std::int64_t y = 0; y < result.height(); ++y) {
        add_up(job.column, rows + y * count, count, count, job.sums.data());
        for (std::int64_t s = 0; s < count; ++s)
            *out++ = round_to_byte(static_cast<float>(job.sums[s]), job.divisor);
    }
}

}  // namespace

const Variant separable = cpu_variant(
    {.name = "separable", .idea = "row pass, then column pass: 2K taps instead of K^2"}, convolve);

}  // namespace convolab
