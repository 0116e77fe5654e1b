// SPDX-License-Identifier: MIT
// What the parts of the scene share. Everything is integer arithmetic: the same bytes on every
// machine, with every compiler and every flag. Lengths are in units of the picture's height, fixed
// point with kOne = 1; x runs from the middle, y from the top; so the scene is the same at any
// size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/image.hpp"

namespace convolab::scene {

inline constexpr std::int64_t kOne = 1 << 20;

/// A length from thousandths of the picture's height.
constexpr std::int64_t milli(std::int64_t thousandths) { return thousandths * kOne / 1000; }

/// The lake lies between these heights; within kEdge of the first there are mountains, too.
inline constexpr std::int64_t kWaterline = milli(600), kEdge = milli(10), kLakeEnd = milli(960);

/// 32 well mixed bits from two coordinates and a seed.
inline std::uint32_t hash(std::int64_t x, std::int64_t y, std::uint32_t seed) {
    std::uint32_t h = seed * 0x9E3779B1u ^ static_cast<std::uint32_t>(x) * 0x85EBCA77u ^
                      static_cast<std::uint32_t>(y) * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return h ^ h >> 15;
}

/// Red, green, blue; 256 = one step of an 8-bit sample.
struct Colour {
    std::int32_t r = 0, g = 0, b = 0;
    bool operator==(const Colour&) const = default;
};
constexpr Colour rgb(int r, int g, int b) { return {r * 256, g * 256, b * 256}; }

/// From a (t = 0) to b (t = 256).
constexpr Colour mix(Colour a, Colour b, std::int32_t t) {
    return {a.r + (b.r - a.r) * t / 256, a.g + (b.g - a.g) * t / 256, a.b + (b.b - a.b) * t / 256};
}
/// Times t / 256.
constexpr Colour scaled(Colour a, std::int32_t t) {
    return {a.r * t / 256, a.g * t / 256, a.b * t / 256};
}
constexpr std::int32_t limit(std::int64_t v, std::int64_t low, std::int64_t high) {
    return static_cast<std::int32_t>(v < low ? low : v > high ? high : v);
}
/// 0 up to `from`, 256 from `to` on, linear between.
constexpr std::int32_t ramp(std::int64_t v, std::int64_t from, std::int64_t to) {
    return limit((v - from) * 256 / (to - from), 0, 256);
}

/// The picture's pixel grid in the scene's units, and the picture itself.
struct Canvas {
    Canvas(std::int64_t width, std::int64_t height);
    std::int64_t width, height;   ///< pixels
    std::vector<std::int64_t> x;  ///< of each column's centre
    Image image;                  ///< RGB; rows are finished from the top down
    std::int64_t y_of(std::int64_t row) const { return (2 * row + 1) * kOne / (2 * height); }
    /// How much of a pixel lies beyond an edge at distance `inside` of its centre: 0..256.
    std::int32_t cover(std::int64_t inside) const {
        return limit((inside * height * 256 + kOne * 128) / kOne, 0, 256);
    }
};

/// Fractal gradient noise: octaves of doubling frequency and halving height, down to two pixels,
/// so that a larger picture has finer detail.
struct Fractal {
    std::uint32_t seed;
    std::int64_t cells;   ///< of the first octave in one height of the picture
    int octaves = 16;     ///< at most
    int gain = 128;       ///< height of an octave over the one before, / 256
    bool ridged = false;  ///< creases instead of waves
};

/// One row of it at height y for each column, about -30000..30000 (ridged: 0..30000). The noise is
/// seen at stretch / kOne of its size along x (perspective). Columns outside begin..end get 0.
void fractal_row(const Canvas& canvas, const Fractal& fractal, std::int64_t y,
                 std::vector<std::int32_t>& out, std::int64_t stretch = kOne, std::size_t begin = 0,
                 std::size_t end = SIZE_MAX);

/// Cosine of turns / 65536 of a full turn, -32768..32768 (within 3 of 32768).
std::int32_t cosine(std::uint32_t turns);

/// Direction of (x, y) in 65536ths of a turn, within 20 of it; (0, 0) gives 0.
std::uint32_t direction(std::int64_t x, std::int64_t y);

/// The parts, row by row, from far to near. `row` contains the colours so far.
using Row = std::vector<Colour>;

class Landscape {
  public:
    explicit Landscape(Canvas& canvas);
    void paint(std::int64_t row_number, Row& row);

  private:
    void sky(std::int64_t y, Row& row);
    void mountains(std::int64_t y, Row& row);
    void forest(std::int64_t y, Row& row);
    void lake(std::int64_t row_number, std::int64_t y, Row& row);
    void cabin(std::int64_t y, Row& row);
    void meadow(std::int64_t y, Row& row);
    void trees(std::int64_t y, Row& row);

    Canvas& canvas_;
    std::vector<std::int64_t> far_top_, near_top_, forest_top_, shore_;  ///< of each column
    std::int64_t sky_end_ = 0;  ///< where the far mountains have hidden the last of the sky
    std::vector<std::int32_t> noise_, detail_;
};

/// The test chart in the lower right corner, over what is there: text, a zone plate, a Siemens
/// star, bars, flat patches. It is drawn with 4 x 4 samples per pixel, without noise.
void paint_chart(const Canvas& canvas, std::int64_t row_number, Row& row);

}  // namespace convolab::scene
