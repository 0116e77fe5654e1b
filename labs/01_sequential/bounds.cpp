// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// bounds (cazzola2024, Alg. 1; chisci2024, Fig. 3)
//
// The idea: no padded copy. Each tap tests whether it falls inside the image and asks the border
// rule where it does not. Any number of channels; int32 samples as chisci2024 has them, float32
// samples (neither rounded nor clamped) as cazzola2024 has them, and bytes.
//
// Since flat: no second image, so half the memory and no time for padding; in exchange four
// comparisons a tap.
//
// What limits it: the tests. Only the taps of the outermost p pixels ever fail them, but the
// compiler cannot know, and keeps the inner loop scalar.
//
// Alone: build/labs/01_sequential/lab bench --variant bounds --type float32 --size 1080p
#include <vector>

#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_convolver.hpp"

namespace convolab {
namespace {

template <class T>
class Bounds final : public CpuConvolver {
  public:
    explicit Bounds(const Job& job)
        : CpuConvolver(job, job.image().layout()),
          in_(job.image()),
          border_(job.border),
          shift_(border_.rule == BorderRule::valid ? 0 : job.filter.radius()),
          ksize_(job.filter.ksize()),
          taps_(job.filter.taps().begin(), job.filter.taps().end()) {}

    void run() override {
        const T* in = in_.data<T>();
        T* out = output_.data<T>();
        const float* taps = taps_.data();
        const int ksize = ksize_;
        const std::int64_t width = in_.width();
        const std::int64_t height = in_.height();
        const bool interleaved = in_.layout() == Layout::interleaved;
        const std::int64_t pixel = interleaved ? in_.channels() : 1;  // samples to the next pixel
        const std::int64_t plane = interleaved ? 1 : width * height;  // to the next channel
        for (std::int64_t y = 0; y < output_.height(); ++y)
            for (std::int64_t x = 0; x < output_.width(); ++x) {
                const auto divisor = static_cast<float>(divisors_.at(x, y));
                for (int c = 0; c < output_.channels(); ++c) {
                    float sum = 0;
                    for (int j = 0; j < ksize; ++j)
                        for (int i = 0; i < ksize; ++i) {
                            const std::int64_t row = y + j - shift_;
                            const std::int64_t column = x + i - shift_;
                            const bool inside =
                                row >= 0 && row < height && column >= 0 && column < width;
                            const float sample =
                                inside ? static_cast<float>(
                                             in[(row * width + column) * pixel + c * plane])
                                       : outside(in, column, row, c);
                            sum += taps[j * ksize + i] * sample;
                        }
                    out[output_.index(x, y, c)] = to_sample<T>(sum, divisor);
                }
            }
    }

  private:
    float outside(const T* in, std::int64_t column, std::int64_t row, int c) const {
        row = source_index(border_.rule, row, in_.height());
        column = source_index(border_.rule, column, in_.width());
        return row < 0 || column < 0 ? static_cast<float>(border_.value)
                                     : static_cast<float>(in[in_.index(column, row, c)]);
    }

    const Image& in_;
    Border border_;
    std::int64_t shift_;
    int ksize_;
    std::vector<float> taps_;
};

std::unique_ptr<Convolver> make(const Job& job) {
    switch (job.image().type()) {
        case PixelType::uint8:
            return std::make_unique<Bounds<std::uint8_t>>(job);
        case PixelType::int32:
            return std::make_unique<Bounds<std::int32_t>>(job);
        case PixelType::float32:
            return std::make_unique<Bounds<float>>(job);
    }
    return nullptr;
}

}  // namespace

extern const Variant bounds;
const Variant bounds{
    .name = "bounds",
    .idea =
        "no padded copy: each tap tests whether it is inside the image; int32, float32 or uint8",
    .make = make,
    .types = {PixelType::int32, PixelType::float32, PixelType::uint8},
};

}  // namespace convolab
