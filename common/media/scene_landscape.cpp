// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "common/media/scene_parts.hpp"

namespace convolab::scene {
namespace {

constexpr std::int64_t kShore = milli(800);
constexpr std::int64_t kSunX = milli(-470), kSunY = milli(330);
constexpr Colour kHaze = rgb(226, 205, 190);

/// Heights of a ridge line: `top` minus noise of `amplitude`.
std::vector<std::int64_t> ridge(const Canvas& canvas, Fractal fractal, std::int64_t top,
                                std::int64_t amplitude) {
    std::vector<std::int32_t> noise(canvas.x.size());
    fractal_row(canvas, fractal, kOne / 3, noise);
    std::vector<std::int64_t> line(noise.size());
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = top - noise[i] * amplitude / 16384;
    return line;
}

/// Height above the ground of a row of conifers `spacing` apart: saw-edged triangles.
std::int64_t conifers(std::int64_t x, std::int64_t spacing, std::int64_t tallest,
                      std::uint32_t seed) {
    std::int64_t best = 0;
    const std::int64_t cell = x >= 0 ? x / spacing : -((-x - 1) / spacing) - 1;
    for (std::int64_t c = cell - 1; c <= cell + 1; ++c) {
        const std::uint32_t h = hash(c, 0, seed);
        const std::int64_t centre = c * spacing + spacing * (h & 255) / 256;
        const std::int64_t tall = tallest * (128 + (h >> 8 & 127)) / 256;
        const std::int64_t away = std::abs(x - centre);
        const std::int64_t branch = std::max<std::int64_t>(spacing / 7, 1);
        const std::int64_t saw = (away % branch) * 2 - (away / branch) * branch / 2;
        best = std::max(best, tall - away * 3 - saw);
    }
    return best;
}

}  // namespace

Landscape::Landscape(Canvas& canvas)
    : canvas_(canvas), noise_(canvas.x.size()), detail_(canvas.x.size()) {
    far_top_ = ridge(canvas, {.seed = 11, .cells = 2, .gain = 130, .ridged = true}, milli(505),
                     milli(190));
    near_top_ = ridge(canvas, {.seed = 12, .cells = 2, .gain = 122}, milli(505), milli(110));
    forest_top_ = ridge(canvas, {.seed = 13, .cells = 2, .octaves = 4}, milli(585), milli(30));
    shore_ = ridge(canvas, {.seed = 14, .cells = 1, .gain = 140}, milli(835), milli(38));
    for (std::size_t i = 0; i < canvas.x.size(); ++i) {
        const std::int64_t x = canvas.x[i];
        sky_end_ = std::max(sky_end_, far_top_[i] + kOne / canvas.height);
        near_top_[i] += std::abs(x + milli(500)) * 45 / 1000 - milli(20);
        forest_top_[i] -= conifers(x, milli(11), milli(34), 5);
        shore_[i] += (x + milli(300)) * 60 / 1000;
    }
}

void Landscape::paint(std::int64_t row_number, Row& row) {
    const std::int64_t y = canvas_.y_of(row_number);
    if (y < kWaterline + kEdge) {
        if (y <= sky_end_) sky(y, row);
        mountains(y, row);
        forest(y, row);
    }
    if (y > kWaterline - kEdge) lake(row_number, y, row);
    if (y > milli(520) && y < milli(640)) cabin(y, row);
    if (y > milli(740)) meadow(y, row);
    trees(y, row);
}

void Landscape::sky(std::int64_t y, Row& row) {
    const Colour base = y < milli(300)
                            ? mix(rgb(38, 84, 158), rgb(128, 172, 214), ramp(y, 0, milli(300)))
                            : mix(rgb(128, 172, 214), kHaze, ramp(y, milli(300), milli(560)));
    // Clouds lie in a plane overhead: rows near the horizon see more of it.
    const std::int64_t depth = kOne * kOne / (milli(720) - y);
    fractal_row(canvas_, {.seed = 21, .cells = 2, .gain = 136}, depth * 2, noise_, depth);
    fractal_row(canvas_, {.seed = 21, .cells = 2, .octaves = 4, .gain = 136}, depth * 2 + milli(60),
                detail_, depth);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t dx = (canvas_.x[i] - kSunX) >> 6, dy = (y - kSunY) >> 6;
        const std::int64_t d2 = (dx * dx + dy * dy) >> 8;  // 1 = 2^20
        const auto glow =
            static_cast<std::int32_t>((std::int64_t{40} << 20) / (d2 * 8 + milli(130)) * 5 / 8);
        Colour colour = mix(base, rgb(255, 238, 196), std::min(glow, 232));
        const std::int32_t cloud = limit((noise_[i] + 600) / 24, 0, 226);
        const std::int32_t lit = limit(150 + (noise_[i] - detail_[i]) / 24 + glow / 3, 0, 256);
        colour = mix(colour, mix(rgb(146, 152, 178), rgb(255, 246, 232), lit), cloud);
        row[i] = colour;
    }
}

void Landscape::mountains(std::int64_t y, Row& row) {
    if (y < milli(120)) return;
    fractal_row(canvas_, {.seed = 31, .cells = 7, .gain = 166, .ridged = true}, y * 3 / 4, noise_);
    // Light from the left: how the ground falls over a long and over a short way.
    const auto shift = static_cast<std::size_t>(canvas_.height / 90 + 1);
    const auto small = static_cast<std::size_t>(canvas_.height / 900 + 1);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int32_t far = canvas_.cover(y - far_top_[i]);
        const std::int32_t near = canvas_.cover(y - near_top_[i]);
        if (far == 0 && near == 0) continue;
        const std::int32_t relief = noise_[i] - noise_[i >= shift ? i - shift : i];
        const std::int32_t fine = noise_[i] - noise_[i >= small ? i - small : i];
        const std::int32_t light = limit(140 - relief / 32 - fine / 14, 10, 256);
        if (far > 0 && near < 256) {
            // Snow lies high up and in the hollows.
            const std::int64_t below = y - far_top_[i];
            const std::int32_t snow =
                ramp(milli(330) - y + noise_[i] * 9 - below / 3, 0, milli(30));
            const Colour rock = mix(rgb(66, 74, 104), rgb(150, 140, 146), light);
            const Colour white = mix(rgb(150, 170, 208), rgb(255, 250, 242), light);
            const Colour colour = mix(rock, white, snow);
            row[i] = mix(row[i], mix(colour, kHaze, 40 + ramp(y, milli(200), milli(640)) / 2), far);
        }
        if (near > 0) {
            const Colour slope = mix(rgb(40, 62, 66), rgb(122, 132, 98), light);
            row[i] = mix(row[i], mix(slope, kHaze, 16 + ramp(y, milli(380), milli(700)) / 2), near);
        }
    }
}

void Landscape::forest(std::int64_t y, Row& row) {
    if (y < milli(480)) return;
    fractal_row(canvas_, {.seed = 41, .cells = 60, .gain = 205}, y / 2, noise_);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int32_t cover = canvas_.cover(y - forest_top_[i]);
        if (cover == 0) continue;
        const std::int32_t light = limit(110 + noise_[i] / 90 - (y - forest_top_[i]) / 700, 0, 256);
        row[i] = mix(row[i], mix(rgb(14, 34, 34), rgb(74, 98, 58), light), cover);
    }
}

void Landscape::lake(std::int64_t row_number, std::int64_t y, Row& row) {
    const std::int64_t down = std::max<std::int64_t>(y - kWaterline, 0);
    if (y > kLakeEnd) return;
    // Ripples get larger towards us, and shift what is mirrored up and down.
    const std::int64_t depth = kOne * kOne / (down + milli(30)) / 16;
    fractal_row(canvas_, {.seed = 51, .cells = 24, .octaves = 5, .gain = 140}, depth * 5, noise_,
                depth);
    const std::int64_t mirrored = 2 * kWaterline - y;
    const std::uint8_t* above = canvas_.image.data<std::uint8_t>();
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t ripple = noise_[i] * (down + milli(4)) / 90000;
        const std::int64_t from =
            std::clamp<std::int64_t>((mirrored + ripple) * canvas_.height / kOne, 0,
                                     std::max<std::int64_t>(row_number - 1, 0));
        const std::uint8_t* p = above + canvas_.image.index(static_cast<std::int64_t>(i), from, 0);
        const Colour seen = rgb(p[0], p[1], p[2]);
        const Colour water = mix(rgb(52, 88, 108), rgb(22, 52, 72), ramp(y, kWaterline, kShore));
        const Colour colour =
            mix(scaled(seen, 236), water, limit(50 + down / 4000 + noise_[i] / 400, 0, 190));
        row[i] = mix(row[i], colour, canvas_.cover(y - kWaterline));
    }
}

}  // namespace convolab::scene
