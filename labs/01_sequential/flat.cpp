// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// flat (ariano2023, sections 3.5 and 3.6)
//
// The idea: the padded image is one float array, interleaved, the filter another. The loop runs
// over the whole padded image, as the CUDA grid of lab 03 will, and tests whether it stands on a
// pixel.
//
// Since nested: one allocation instead of one a pixel, neighbours in memory are neighbours in the
// image. The report's test was hard-coded to a margin of 2, right for 5x5 only; here it is p.
//
// What limits it: one multiply-add at a time, and four bytes moved for each byte of picture.
//
// Alone: build/labs/01_sequential/lab bench --variant flat --size 1080p
#include <vector>

#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_convolver.hpp"

namespace convolab {
namespace {

class Flat final : public CpuConvolver {
  public:
    explicit Flat(const Job& job)
        : CpuConvolver(job),
          padded_(pad(job, PixelType::float32)),
          taps_(job.filter.taps().begin(), job.filter.taps().end()),
          ksize_(job.filter.ksize()) {}

    void run() override {
        const std::int64_t p = ksize_ / 2;
        const std::int64_t width = padded_.width();
        const std::int64_t height = padded_.height();
        const int channels = padded_.channels();
        const float* in = padded_.data<float>();
        auto* out = output_.data<std::uint8_t>();
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x) {
                if (x < p || y < p || x >= width - p || y >= height - p) continue;
                const auto divisor = static_cast<float>(divisors_.at(x - p, y - p));
                for (int c = 0; c < channels; ++c) {
                    float sum = 0;
                    for (int j = 0; j < ksize_; ++j)
                        for (int i = 0; i < ksize_; ++i)
                            sum += taps_[j * ksize_ + i] *
                                   in[((y + j - p) * width + x + i - p) * channels + c];
                    out[output_.index(x - p, y - p, c)] = round_to_byte(sum, divisor);
                }
            }
    }

  private:
    Image padded_;
    std::vector<float> taps_;
    int ksize_;
};

MemoryNeed memory(const Job& job) {
    const std::int64_t r = job.filter.radius();
    const std::int64_t padded = (job.out_width() + 2 * r) * (job.out_height() + 2 * r);
    return {(4 * padded + job.out_width() * job.out_height()) * job.image().channels(), 0};
}

}  // namespace

extern const Variant flat;
const Variant flat{
    .name = "flat",
    .idea = "padded image as one float array; the loop tests whether it is inside",
    .make = [](const Job& job) { return std::make_unique<Flat>(job); },
    .memory = memory,
};

}  // namespace convolab
