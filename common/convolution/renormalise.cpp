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

/// Where a picture's samples are. Distances in samples; together: samples of a pixel side by side.
template <class T>
struct Samples {
    T* first;
    std::int64_t row, channel;
    int together;

    T* at(std::int64_t x, std::int64_t y, int c) const {
        return first + c * channel + y * row + x * together;
    }
};

template <class T>
Samples<T> samples_of(T* first, const Image& image) {
    if (image.layout() == Layout::interleaved)
        return {first, image.width() * image.channels(), 1, image.channels()};
    return {first, image.width(), image.pixels(), 1};
}

template <class T>
class Frame {
  public:
    Frame(const Computation& job, Samples<const T> in, Samples<T> out, std::vector<Sum<T>>& sums,
          std::vector<std::int32_t>& before)
        : job_(job), in_(in), out_(out), sums_(sums), before_(before) {}

    void rows(std::int64_t y0, std::int64_t y1) {
        const std::int64_t p = job_.filter.radius();
        const std::int64_t width = job_.image().width();
        for (std::int64_t y = y0; y < y1; ++y) {
            const bool whole = y < p || y >= job_.image().height() - p || width <= 2 * p;
            pixels(y, 0, whole ? width : p);
            if (!whole) pixels(y, width - p, width);
        }
    }

  private:
    /// Pixels x0 .. x1 - 1 of row y. Tap by tap, so that the loop along the row vectorises.
    void pixels(std::int64_t y, std::int64_t x0, std::int64_t x1) {
        const Image& image = job_.image();
        const int together = in_.together;
        const std::int64_t p = job_.filter.radius();
        const std::int64_t k = job_.filter.ksize();
        const std::int64_t width = image.width();
        const std::int32_t* taps = job_.filter.taps().data();
        rows_inside(std::max<std::int64_t>(0, p - y), std::min(k, image.height() + p - y));
        for (int c = 0; c < image.channels(); c += together) {
            sums_.assign(static_cast<std::size_t>((x1 - x0) * together), 0);
            for (std::int64_t j = first_; j < last_; ++j) {
                const T* row = in_.at(0, y + j - p, c);
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
                    *out_.at(x, y, n) = to_sample<T>(static_cast<float>(*sum++), divisor);
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

    const Computation& job_;
    Samples<const T> in_;
    Samples<T> out_;
    std::vector<Sum<T>>& sums_;
    std::vector<std::int32_t>& before_;
    std::int64_t first_ = 0, last_ = 0;
};

template <class T>
void frame_rows(const Computation& job, Image& out, std::int64_t y0, std::int64_t y1) {
    std::vector<Sum<T>> sums;
    std::vector<std::int32_t> before;
    Frame<T>(job, samples_of(job.image().data<T>(), job.image()), samples_of(out.data<T>(), out),
             sums, before)
        .rows(y0, y1);
}

}  // namespace

void renormalise_frame(const Computation& job, Image& out, std::int64_t y0, std::int64_t y1) {
    if (job.border.rule != BorderRule::renormalise) return;
    switch (out.type()) {
        case PixelType::uint8:
            return frame_rows<std::uint8_t>(job, out, y0, y1);
        case PixelType::int32:
            return frame_rows<std::int32_t>(job, out, y0, y1);
        case PixelType::float32:
            return frame_rows<float>(job, out, y0, y1);
    }
}

FrameScratch frame_scratch(const Computation& job) {
    FrameScratch scratch;
    scratch.sums.resize(static_cast<std::size_t>(job.image().width() * job.image().channels()));
    scratch.before.resize(static_cast<std::size_t>(job.filter.ksize()) + 1);
    return scratch;
}

void renormalise_frame(const Computation& job, InRows in, OutRows out, std::int64_t y0,
                       std::int64_t y1, FrameScratch& scratch) {
    if (job.border.rule != BorderRule::renormalise) return;
    const int channels = job.image().channels();
    Frame<std::uint8_t>(job, {in.first, in.pitch, 1, channels}, {out.first, out.pitch, 1, channels},
                        scratch.sums, scratch.before)
        .rows(y0, y1);
}

}  // namespace convolab
