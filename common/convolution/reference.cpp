// SPDX-License-Identifier: MIT
#include "common/convolution/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>

#include "common/convolution/padding.hpp"
#include "common/convolution/rounding.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

/// The sum of the taps that meet the image, for the pixel (x, y) of the output.
std::int64_t taps_inside(const Computation& job, std::int64_t x, std::int64_t y) {
    const Filter& filter = job.filter;
    const auto is_in = [p = filter.radius()](std::int64_t at, int i, std::int64_t size) {
        return at + i - p >= 0 && at + i - p < size;
    };
    std::int64_t sum = 0;
    for (int j = 0; j < filter.ksize(); ++j)
        for (int i = 0; i < filter.ksize(); ++i)
            if (is_in(x, i, job.image().width()) && is_in(y, j, job.image().height()))
                sum += filter.tap(i, j);
    return sum;
}

/// Rows first .. last - 1 of the output. Kept are the K rows of the image, with their borders, that
/// the current row of the output needs; each is added K times, shifted by one sample more every
/// time. So the innermost loop runs along a row, and compilers make it SIMD.
template <class T, class Sum>
void correlate(const Computation& job, Image& out, std::int64_t first, std::int64_t last) {
    const Image& in = job.image();
    const Filter& filter = job.filter;
    const BorderRule rule = job.border.rule;
    const int k = filter.ksize(), p = filter.radius();
    const int shift = rule == BorderRule::valid ? p : 0;
    const bool renormalise = rule == BorderRule::renormalise;
    const Sum missing = renormalise ? Sum{0} : static_cast<Sum>(job.border.value);
    // Where the border rule finds the columns x - p, ..., x + p of the output's column x.
    std::vector<std::int64_t> columns;
    for (std::int64_t x = -p; x < out.width() + p; ++x)
        columns.push_back(source_index(rule, x + shift, in.width()));

    std::vector<std::vector<Sum>> rows(k, std::vector<Sum>(columns.size()));  // y is in rows[y % k]
    std::vector<Sum> sums(out.width());
    for (int c = 0; c < out.channels(); ++c) {
        const auto read_row = [&](std::int64_t y) {  // counted from the top of the border
            const std::int64_t row = source_index(rule, y - p + shift, in.height());
            for (std::size_t x = 0; x < columns.size(); ++x)
                rows[y % k][x] = row < 0 || columns[x] < 0
                                     ? missing
                                     : static_cast<Sum>(in.data<T>()[in.index(columns[x], row, c)]);
        };
        for (std::int64_t y = first; y < first + k - 1; ++y) read_row(y);
        for (std::int64_t y = first; y < last; ++y) {
            read_row(y + k - 1);
            std::fill(sums.begin(), sums.end(), Sum{0});
            for (int j = 0; j < k; ++j)
                for (int i = 0; i < k; ++i) {
                    const Sum tap = filter.tap(i, j);
                    const Sum* samples = rows[(y + j) % k].data() + i;
                    for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += tap * samples[x];
                }
            for (std::int64_t x = 0; x < out.width(); ++x) {
                const std::int64_t divisor =
                    renormalise ? taps_inside(job, x, y) : filter.divisor();
                T& result = out.data<T>()[out.index(x, y, c)];
                if constexpr (std::is_same_v<T, float>)
                    result = static_cast<float>(sums[x] / static_cast<double>(divisor));
                else
                    result = round_to_byte(std::int64_t{sums[x]}, divisor);
            }
        }
    }
}

}  // namespace

Image reference_convolution(const Computation& job) {
    constexpr std::int64_t kWorkPerThread = 1 << 20;  // multiply-adds: a few milliseconds
    const std::int64_t work = job.image().samples() * job.filter.ksize() * job.filter.ksize();
    return reference_convolution(
        job, static_cast<int>(std::clamp<std::int64_t>(work / kWorkPerThread, 1, cpu_count())));
}

Image reference_convolution(const Computation& job, int thread_count) {
    check_possible(job);
    const Image& in = job.image();
    Image out(job.out_width(), job.out_height(), in.channels(), in.type(), in.layout());
    const auto rows = [&](std::int64_t first, std::int64_t last) {
        switch (in.type()) {
            case PixelType::uint8:
                // A filter's taps add up to 65536 at most: no sum leaves 32 bits.
                correlate<std::uint8_t, std::int32_t>(job, out, first, last);
                break;
            case PixelType::int32:
                correlate<std::int32_t, std::int64_t>(job, out, first, last);
                break;
            case PixelType::float32:
                correlate<float, double>(job, out, first, last);
                break;
        }
    };
    const std::int64_t parts = std::clamp<std::int64_t>(thread_count, 1, out.height());
    std::vector<std::jthread> threads;
    for (std::int64_t i = 1; i < parts; ++i)
        threads.emplace_back(rows, out.height() * i / parts, out.height() * (i + 1) / parts);
    rows(0, out.height() / parts);
    for (auto& thread : threads) thread.join();
    return out;
}

double allowed_difference(const Computation& job) {
    const Image& in = job.image();
    if (in.type() != PixelType::float32) return 0;
    double largest = std::abs(static_cast<double>(job.border.value));
    const float* samples = in.data<float>();
    for (std::int64_t i = 0; i < in.samples(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(samples[i])));
    double taps = 0;
    for (const auto tap : job.filter.taps()) taps += std::abs(tap);
    // With renormalise the divisor is smaller where taps are missing; 1 is the least it can be.
    const double divisor = job.border.rule == BorderRule::renormalise ? 1 : job.filter.divisor();
    const double k = job.filter.ksize();
    return (k * k + 2) * std::ldexp(1.0, -24) * largest * taps / divisor;
}

}  // namespace convolab
