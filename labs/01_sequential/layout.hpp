// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What `aos` and `soa` share (delbimbo2024, section 3): one loop nest over an accessor (column,
// row, channel) whose index rule is chosen by a layout flag when the program runs, as the report
// does it.
#pragma once

#include <vector>

#include "common/convolution/rounding.hpp"
#include "common/variant/cpu_convolver.hpp"

namespace convolab {

/// Bytes behind one accessor.
class PixelView {
  public:
    explicit PixelView(const Image& image)
        : samples_(image.data<std::uint8_t>()),
          width_(image.width()),
          height_(image.height()),
          channels_(image.channels()),
          interleaved_(image.layout() == Layout::interleaved) {}

    bool holds(std::int64_t column, std::int64_t row) const {
        return column >= 0 && row >= 0 && column < width_ && row < height_;
    }
    float at(std::int64_t column, std::int64_t row, int c) const {
        return samples_[interleaved_ ? (row * width_ + column) * channels_ + c
                                     : (c * height_ + row) * width_ + column];
    }
    float at(std::int64_t column, std::int64_t row, int c, const Border& border) const {
        column = source_index(border.rule, column, width_);
        row = source_index(border.rule, row, height_);
        return column < 0 || row < 0 ? static_cast<float>(border.value) : at(column, row, c);
    }

  private:
    const std::uint8_t* samples_;
    std::int64_t width_;
    std::int64_t height_;
    std::int64_t channels_;
    bool interleaved_;
};

class LayoutConvolver final : public CpuConvolver {
  public:
    LayoutConvolver(const Job& job, Layout layout)
        : CpuConvolver(job, layout),
          in_(convert(job.image(), PixelType::uint8, layout)),
          border_(job.border),
          shift_(border_.rule == BorderRule::valid ? 0 : job.filter.radius()),
          ksize_(job.filter.ksize()),
          taps_(job.filter.taps().begin(), job.filter.taps().end()) {}

    void run() override {
        const PixelView in(in_);
        auto* out = output_.data<std::uint8_t>();
        const float* taps = taps_.data();
        const int ksize = ksize_;
        for (int c = 0; c < output_.channels(); ++c)
            for (std::int64_t row = 0; row < output_.height(); ++row)
                for (std::int64_t column = 0; column < output_.width(); ++column) {
                    float sum = 0;
                    for (int j = 0; j < ksize; ++j)
                        for (int i = 0; i < ksize; ++i) {
                            const std::int64_t x = column + i - shift_;
                            const std::int64_t y = row + j - shift_;
                            sum += taps[j * ksize + i] *
                                   (in.holds(x, y) ? in.at(x, y, c) : in.at(x, y, c, border_));
                        }
                    const auto divisor = static_cast<float>(divisors_.at(column, row));
                    out[output_.index(column, row, c)] = round_to_byte(sum, divisor);
                }
    }

  private:
    Image in_;
    Border border_;
    std::int64_t shift_;
    int ksize_;
    std::vector<float> taps_;
};

}  // namespace convolab
