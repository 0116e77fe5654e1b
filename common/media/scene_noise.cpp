// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "common/base/division.hpp"
#include "common/media/scene_parts.hpp"

namespace convolab::scene {
namespace {

constexpr int kFraction = 32;  ///< positions on the noise's lattice: 32.32 fixed point

/// 3 t^2 - 2 t^3 for t of 0..32768: the weight of the next lattice point.
constexpr std::int32_t fade(std::int32_t t) {
    const std::int32_t t2 = t * t >> 15;
    return t2 * (3 * 32768 - 2 * t) >> 15;
}

/// A lattice column seen from one row: its gradient along x, and its value straight below it.
struct Column {
    std::int32_t slope, value;
};

Column column_of(std::int64_t cell, std::int64_t line, std::int32_t down, std::uint32_t seed) {
    const std::uint32_t above = hash(cell, line, seed), below = hash(cell, line + 1, seed);
    const auto part = [](std::uint32_t bits, int shift) {  // -255..255
        return static_cast<std::int32_t>(bits >> shift & 511) - 256;
    };
    const std::int32_t weight = fade(down);
    const auto blend = [&](std::int32_t a, std::int32_t b) {
        return a + (((b - a) * (weight >> 3)) >> 12);
    };
    return {blend(part(above, 0) * 64, part(below, 0) * 64),
            blend(part(above, 9) * down >> 9, part(below, 9) * (down - 32768) >> 9)};
}

template <bool ridged>
void cell_of_noise(std::int32_t* sum, std::size_t pixels, std::uint32_t fraction,
                   std::uint32_t step, Column left, Column right, std::int32_t crest) {
    for (std::size_t k = 0; k < pixels; ++k) {
        const auto t = static_cast<std::int32_t>(
            (fraction + static_cast<std::uint32_t>(k) * step) >> (kFraction - 15));
        const std::int32_t a = left.value + (left.slope * t >> 15);
        const std::int32_t b = right.value + (right.slope * (t - 32768) >> 15);
        const std::int32_t v = a + (((b - a) * (fade(t) >> 3)) >> 12);
        sum[k] += ridged ? crest - std::abs(v) : v;
    }
}

}  // namespace

Canvas::Canvas(std::int64_t w, std::int64_t h) : width(w), height(h), image(w, h, 3) {
    x.resize(static_cast<std::size_t>(w));
    for (std::int64_t i = 0; i < w; ++i)
        x[static_cast<std::size_t>(i)] = (2 * i + 1 - w) * kOne / (2 * h);
}

void fractal_row(const Canvas& canvas, const Fractal& fractal, std::int64_t y,
                 std::vector<std::int32_t>& out, std::int64_t stretch, std::size_t begin,
                 std::size_t end) {
    end = std::min(end, out.size());
    std::fill(out.begin(), out.end(), 0);
    std::int64_t line = y * fractal.cells * (std::int64_t{1} << (kFraction - 20));
    std::int64_t step = (fractal.cells * stretch / canvas.height) << (kFraction - 20);
    std::int64_t origin = -(canvas.width * step) / 2 + (std::int64_t{977} << kFraction);
    std::int32_t height = 256;
    for (int octave = 0; octave < fractal.octaves && height > 0; ++octave) {
        if (octave > 0 && step > (std::int64_t{1} << (kFraction - 1))) break;
        const std::uint32_t seed = fractal.seed * 31 + static_cast<std::uint32_t>(octave);
        const std::int32_t down = static_cast<std::int32_t>(line >> (kFraction - 15) & 32767);
        const auto column = [&](std::int64_t cell) {
            const Column c = column_of(cell, line >> kFraction, down, seed);
            return Column{c.slope * height >> 7, c.value * height >> 7};
        };
        std::int64_t at = origin + static_cast<std::int64_t>(begin) * step;
        std::int64_t known = at >> kFraction;
        Column right = column(known);
        for (std::size_t i = begin; i < end;) {
            const std::int64_t cell = at >> kFraction;
            const Column left = cell == known ? right : column(cell);
            right = column(known = cell + 1);
            // The pixels of one cell: all 32-bit, which compilers turn into vector instructions.
            const std::int64_t rest = ((cell + 1) << kFraction) - at;
            const auto pixels = static_cast<std::size_t>(ceil_divide(rest, step));
            const std::size_t stop = std::min(end, i + std::max<std::size_t>(pixels, 1));
            const auto fraction = static_cast<std::uint32_t>(at);
            const auto increment = static_cast<std::uint32_t>(step);
            at += static_cast<std::int64_t>(stop - i) * step;
            if (fractal.ridged)
                cell_of_noise<true>(&out[i], stop - i, fraction, increment, left, right,
                                    12000 * height >> 8);
            else
                cell_of_noise<false>(&out[i], stop - i, fraction, increment, left, right, 0);
            i = stop;
        }
        height = height * fractal.gain >> 8;
        line *= 2, step *= 2, origin *= 2;
    }
}

std::int32_t cosine(std::uint32_t turns) {
    // A quarter turn as t of 0..1: cos(pi t / 2) = 1 - t^2 (a - t^2 (b - t^2 c)), fitted so that
    // it is 0 at t = 1; the other quarters by symmetry.
    const std::uint32_t phase = turns & 65535;
    const std::int64_t t = phase & 16384 ? 16384 - (phase & 16383) : phase & 16383;
    const std::int64_t t2 = t * t >> 8;  // 1 = 2^20
    constexpr std::int64_t a = 1293590, b = 264800, c = 19786;
    const std::int64_t inner = b - (t2 * c >> 20);
    const std::int64_t value = kOne - (t2 * (a - (t2 * inner >> 20)) >> 20);
    const auto result = static_cast<std::int32_t>(value >> 5);
    return phase >= 16384 && phase < 49152 ? -result : result;
}

std::uint32_t direction(std::int64_t x, std::int64_t y) {
    const std::int64_t ax = std::abs(x), ay = std::abs(y);
    if (ax == 0 && ay == 0) return 0;
    // atan(t) / turn = t / 8 + t (1 - t) (0.0389 + 0.0106 t) for t of 0..1, in 65536ths.
    const std::int64_t t = (std::min(ax, ay) << 16) / std::max(ax, ay);
    const std::int64_t bend = t * (65536 - t) >> 16;
    std::int64_t turns = t / 8 + (bend * (2552 + (t * 692 >> 16)) >> 16);
    if (ay > ax) turns = 16384 - turns;
    if (x < 0) turns = 32768 - turns;
    if (y < 0) turns = 65536 - turns;
    return static_cast<std::uint32_t>(turns) & 65535;
}

}  // namespace convolab::scene
