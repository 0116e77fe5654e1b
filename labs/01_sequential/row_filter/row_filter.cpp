// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/01_sequential/row_filter/row_filter.hpp"

#include <algorithm>

#include "common/convolution/rounding.hpp"

namespace convolab {

RowFilter::RowFilter(const Job& job)
    : image_(convert(job.image(), PixelType::uint8, Layout::interleaved)),
      filter_(job.filter),
      border_(job.border),
      divisors_(job),
      out_samples_(job.out_width() * image_.channels()),
      line_samples_(out_samples_ + 2LL * filter_.radius() * image_.channels()) {
    const std::int64_t p = filter_.radius();
    for (std::int64_t x = -p; x < 0; ++x)
        edge_source_.push_back(source_index(border_.rule, x, image_.width()));
    for (std::int64_t x = image_.width(); x < image_.width() + p; ++x)
        edge_source_.push_back(source_index(border_.rule, x, image_.width()));
    const Isa isa = choose_isa();
    plan_ = make_plan(filter_, image_.channels(), isa);
    if (plan_.kind == Plan::Kind::plain) return;
#ifdef __x86_64__
    kernels_ = isa == Isa::avx512vnni ? &avx512vnni_kernels()
               : isa == Isa::avx512   ? &avx512_kernels()
                                      : &avx2_kernels();
#endif
    split_columns();
}

RowFilter::Scratch RowFilter::make_scratch() const {
    Scratch scratch;
    const auto k = static_cast<std::size_t>(filter_.ksize());
    const bool plain = plan_.kind == Plan::Kind::plain;
    if (!plain) scratch.memory.resize(static_cast<std::size_t>(scratch_bytes()));
    if (!plain && border_.rule != BorderRule::renormalise) return scratch;
    const bool direct = plan_.row.empty();
    scratch.samples.resize((direct ? k : 1) * static_cast<std::size_t>(line_samples_));
    if (direct) return scratch;
    const std::size_t sums = k * static_cast<std::size_t>(out_samples_);
    if (plan_.sums != Plan::Sums::wide)
        scratch.row_sums.resize(sums);
    else
        scratch.wide_sums.resize(sums);
    return scratch;
}

/// Inside the image border `renormalise` is `constant`. This makes the p columns at each side of
/// rows that have taps missing at the sides only.
void RowFilter::renormalise_sides(std::int64_t y0, std::int64_t y1, Image& out) const {
    const int k = filter_.ksize();
    const std::int64_t p = filter_.radius();
    const std::int64_t width = image_.width();
    const auto* in = image_.data<std::uint8_t>();
    auto* results = out.data<std::uint8_t>();
    for (std::int64_t y = y0; y < y1; ++y)
        for (std::int64_t x = 0; x < width; ++x) {
            if (x == p) x = std::max(x, width - p);
            if (x >= width) break;
            const std::int64_t first = std::max<std::int64_t>(0, p - x);
            const std::int64_t last = std::min<std::int64_t>(k, width + p - x);
            for (int c = 0; c < image_.channels(); ++c) {
                std::int64_t sum = 0;
                for (int j = 0; j < k; ++j)
                    for (std::int64_t i = first; i < last; ++i)
                        sum += std::int64_t{filter_.tap(static_cast<int>(i), j)} *
                               in[image_.index(x + i - p, y + j - p, c)];
                results[out.index(x, y, c)] =
                    round_to_byte(sum, static_cast<std::int64_t>(divisors_.at(x, y)));
            }
        }
}

void RowFilter::rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const {
    if (y0 >= y1) return;
    if (plan_.kind == Plan::Kind::plain) return plain_rows(y0, y1, out, scratch);
    if (border_.rule != BorderRule::renormalise) return block_rows(y0, y1, out, scratch);
    const std::int64_t p = filter_.radius();
    const std::int64_t top = std::clamp(p, y0, y1);
    const std::int64_t bottom = std::clamp(image_.height() - p, top, y1);
    plain_rows(y0, top, out, scratch);
    block_rows(top, bottom, out, scratch);
    renormalise_sides(top, bottom, out);
    plain_rows(bottom, y1, out, scratch);
}

}  // namespace convolab
