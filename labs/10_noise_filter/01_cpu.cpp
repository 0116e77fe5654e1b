// SPDX-License-Identifier: MIT
// cpu -- filter both frames, then compare them
// Source: videostream2021, 3.2 and 3.3; for the median, its program (noise_filter_benchmark/v3.cu).
// Idea: noise differs from frame to frame, and from pixel to pixel. The mean of K x K pixels
//     contains less of it, so fewer pixels differ by more than the threshold.
// Since lab 08's cpu: for each pixel, it reads K x K pixels of both frames.
// Limit: K^2 loads and additions per sample; for the median, the search for the middle value.
// Alone: build/labs/10_noise_filter/lab bench --variant cpu --filter median --ksize 3 --size 480p
#include <algorithm>

#include "common/convolution/rounding.hpp"
#include "common/measurement/cpu_backend.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/10_noise_filter/parts/change.hpp"
#include "labs/10_noise_filter/variants.hpp"

namespace convolab::noise_filter {
namespace {

struct Frames : FramePair {
    explicit Frames(const Job& job)
        : FramePair(job),
          filter(job.filter),
          window(filter.taps().size()),
          filtered{previous().copy(), current().copy()} {}

    Filter filter;
    std::vector<int> window;  ///< the K x K samples around the current one
    Image filtered[2];
};

std::uint8_t weighted(const Filter& filter, const std::vector<int>& window) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < window.size(); ++i) sum += filter.taps()[i] * window[i];
    return round_to_byte(sum, filter.divisor());
}

std::uint8_t median(std::vector<int>& window) {
    const auto middle = window.begin() + static_cast<std::ptrdiff_t>(window.size() / 2);
    std::nth_element(window.begin(), middle, window.end());
    return static_cast<std::uint8_t>(*middle);
}

void filter_frame(Frames& frames, const Image& in, Image& out) {
    const std::int64_t width = in.width(), height = in.height(), p = frames.filter.radius();
    const bool is_median = frames.filter.name() == "median";
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (int c = 0; c < 3; ++c) {
                int* next = frames.window.data();
                for (std::int64_t j = y - p; j <= y + p; ++j)
                    for (std::int64_t i = x - p; i <= x + p; ++i)
                        *next++ = in.data<std::uint8_t>()[in.index(
                            std::clamp<std::int64_t>(i, 0, width - 1),
                            std::clamp<std::int64_t>(j, 0, height - 1), c)];
                out.data<std::uint8_t>()[out.index(x, y, c)] =
                    is_median ? median(frames.window) : weighted(frames.filter, frames.window);
            }
}

void filter_and_compare(Frames& frames, Image& result) {
    filter_frame(frames, frames.previous(), frames.filtered[0]);
    filter_frame(frames, frames.current(), frames.filtered[1]);
    mark(frames.filtered[0].data<std::uint8_t>(), frames.filtered[1].data<std::uint8_t>(),
         result.data<std::uint8_t>(), result.pixels());
}

}  // namespace

const Variant cpu = cpu_variant({.name = "cpu",
                                 .idea = "one thread: filter both frames, then compare",
                                 .channels = {3},
                                 .backend = &cpu_backend()},
                                filter_and_compare);

}  // namespace convolab::noise_filter
