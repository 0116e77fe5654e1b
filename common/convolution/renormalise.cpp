// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/convolution/renormalise.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "common/convolution/rounding.hpp"

namespace convolab {
namespace {

/// 8-bit samples add up exactly in float (filter.hpp), float32 samples nearly so in double.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, double, float>;

template <class T>
class Frame {
  public:
    Frame(const Job& job, Image& out)
        : job_(job), in_(job.image().data<T>()), out_(out), results_(out.data<T>()) {}

    void rows(std::int64_t y0, std::int64_t y1) {
        const std::int64_t p = job_.filter.radius();
        const std::int64_t width = out_.width();
        for (std::int64_t y = y0; y < y1; ++y) {
            const bool whole = y < p || y >= out_.height() - p || width <= 2 * p;
            pixels(y, 0, whole ? width : p);
            if (!whole) pixels(y, width - p, width);
        }
    }

  private:
    /// Pixels x0 .. x1 - 1 of row y. Tap by tap, so that the loop along the row vectorises.
    void pixels(std::int64_t y, std::int64_t x0, std::int64_t x1) {
        const Image& image = job_.image();
        const bool interleaved = image.layout() == Layout::interleaved;
        const int together = interleaved ? image.channels() : 1;  // samples of a pixel side by side
        const std::int64_t p = job_.filter.radius();
        const std::int64_t k = job_.filter.ksize();
        const std::int64_t width = image.width();
        const std::int32_t* taps = job_.filter.taps().data();
        rows_inside(std::max<std::int64_t>(0, p - y), std::min(k, image.height() + p - y));
        for (int c = 0; c < image.channels(); c += together) {
            sums_.assign(static_cast<std::size_t>((x1 - x0) * together), 0);
            for (std::int64_t j = first_; j < last_; ++j) {
                const T* row = in_ + image.index(0, y + j - p, c);
                for (std::int64_t i = 0; i < k; ++i) {
                    const auto tap = static_cast<Sum<T>>(taps[j * k + i]);
                    const std::int64_t first = std::max(x0, p - i);
                    const std::int64_t count = (std::min(x1, width + p - i) - first) * together;
                    const T* in = row + (first + i - p) * together;
                    Sum<T>* sums = sums_.data() + (first - x0) * together;
                    for (std::int64_t s = 0; s < count; ++s)
                        sums[s] += tap * static_cast<Sum<T>>(in[s]);
                }
            }
            const Sum<T>* sum = sums_.data();
            for (std::int64_t x = x0; x < x1; ++x) {
                const auto divisor = static_cast<float>(before_[std::min(k, width + p - x)] -
                                                        before_[std::max<std::int64_t>(0, p - x)]);
                for (int n = c; n < c + together; ++n)
                    results_[out_.index(x, y, n)] =
                        to_sample<T>(static_cast<float>(*sum++), divisor);
            }
        }
    }

    /// before_[i] becomes the sum of the taps in columns 0 .. i - 1 of the filter's rows
    /// first .. last - 1, those inside the image.
    void rows_inside(std::int64_t first, std::int64_t last) {
        if (first == first_ && last == last_) return;
        first_ = first;
        last_ = last;
        const int k = job_.filter.ksize();
        before_.assign(static_cast<std::size_t>(k) + 1, 0);
        for (int i = 0; i < k; ++i) {
            before_[i + 1] = before_[i];
            for (auto j = static_cast<int>(first); j < last; ++j)
                before_[i + 1] += job_.filter.tap(i, j);
        }
    }

    const Job& job_;
    const T* in_;
    Image& out_;
    T* results_;
    std::vector<Sum<T>> sums_;
    std::vector<std::int32_t> before_;
    std::int64_t first_ = 0, last_ = 0;
};

}  // namespace

void renormalise_frame(const Job& job, Image& out, std::int64_t y0, std::int64_t y1) {
    if (job.border.rule != BorderRule::renormalise) return;
    switch (out.type()) {
        case PixelType::uint8:
            return Frame<std::uint8_t>(job, out).rows(y0, y1);
        case PixelType::int32:
            return Frame<std::int32_t>(job, out).rows(y0, y1);
        case PixelType::float32:
            return Frame<float>(job, out).rows(y0, y1);
    }
}

}  // namespace convolab
