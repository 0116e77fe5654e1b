// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/parts/frame_filter.hpp"

#include <algorithm>

namespace convolab::noise_filter {

FrameFilter::FrameFilter(const Computation& job, const Image& frame)
    : frame_(frame), ksize_(job.filter.ksize()) {
    if (job.filter.name() == "median")
        median_ = fastest_median_row(ksize_);
    else
        sums_.emplace(Computation{{&frame}, job.filter, Border{}});
}

FrameFilter::Scratch FrameFilter::make_scratch() const {
    if (sums_) return {sums_->make_scratch(), {}};
    return {{}, std::vector<std::uint8_t>(median_memory(ksize_, frame_.width()))};
}

void FrameFilter::rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const {
    if (sums_) return sums_->rows(y0, y1, out, scratch.of_sums);
    const std::int64_t row_bytes = 3 * frame_.width();
    std::vector<const std::uint8_t*> rows(static_cast<std::size_t>(ksize_));
    for (std::int64_t y = y0; y < y1; ++y) {
        for (int j = 0; j < ksize_; ++j)
            rows[static_cast<std::size_t>(j)] =
                frame_.data<std::uint8_t>() +
                std::clamp<std::int64_t>(y + j - ksize_ / 2, 0, frame_.height() - 1) * row_bytes;
        median_(rows.data(), out.data<std::uint8_t>() + y * row_bytes, frame_.width(),
                scratch.of_median.data());
    }
}

}  // namespace convolab::noise_filter
