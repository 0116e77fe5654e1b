// SPDX-License-Identifier: MIT
// What moves in the synthetic clip: striped balloons that drift over the lake.
#include <algorithm>
#include <cstdlib>

#include "common/base/division.hpp"
#include "common/media/scene_parts.hpp"
#include "common/media/synthetic.hpp"

namespace convolab {
namespace {

using scene::Colour, scene::cosine, scene::limit, scene::rgb, scene::scaled;

/// Lengths in thousandths of the picture's height.
struct Balloon {
    int radius, start,
        height;  ///< start: of the first frame, from the left edge; height of its centre
    int speed;   ///< per 10 frames, to the right
    Colour stripe, other;
};
constexpr Balloon kBalloons[] = {
    {46, 1450, 170, -21, rgb(206, 92, 36), rgb(250, 214, 120)},
    {70, 300, 240, 34, rgb(38, 84, 160), rgb(226, 230, 236)},
    {128, 760, 330, 52, rgb(176, 30, 40), rgb(246, 226, 190)},
};
constexpr std::int64_t kUnit = 256;  ///< one pixel
constexpr int kStripes = 9;

void blend(std::uint8_t* pixel, Colour colour, std::int32_t cover) {
    const std::int32_t parts[] = {colour.r, colour.g, colour.b};
    for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(
            (pixel[c] * 256 * (256 - cover) + parts[c] * cover + 32768) >> 16);
}

/// One row of a ball of stripes that meet at its poles, lit from the left.
void draw_row(Image& image, const Balloon& balloon, std::int64_t y, std::int64_t centre,
              std::int64_t half) {
    const std::int64_t first = std::max<std::int64_t>((centre - half) / kUnit - 1, 0);
    const std::int64_t last = std::min((centre + half) / kUnit + 1, image.width() - 1);
    for (std::int64_t x = first; x <= last; ++x) {
        const std::int64_t away = x * kUnit + kUnit / 2 - centre;
        const std::int32_t cover = limit(half - std::abs(away) + kUnit / 2, 0, 256);
        if (cover == 0) continue;
        const std::int64_t place =
            limit(away * 1024 / half, -1024, 1024);  // -1024..1024 edge to edge
        const std::int64_t stripe = (place + 1024) * kStripes / 2049;
        const std::int32_t light =
            limit(232 - place * 40 / 1024 - place * place * 96 / (1 << 20), 0, 256);
        blend(image.data<std::uint8_t>() + image.index(x, y, 0),
              scaled(stripe % 2 == 0 ? balloon.stripe : balloon.other, light), cover);
    }
}

void draw(Image& image, const Balloon& balloon, std::int64_t frame) {
    const std::int64_t tall = image.height() * kUnit, wide = image.width() * kUnit;
    const std::int64_t radius = std::max<std::int64_t>(balloon.radius * tall / 1000, kUnit);
    // Out on one side, in again on the other.
    const std::int64_t course = wide + 2 * radius;
    const std::int64_t way =
        (balloon.start * tall / 1000 + balloon.speed * frame * tall / 10'000) % course;
    const std::int64_t x = (way + course) % course - radius;
    const std::int64_t sway = cosine(static_cast<std::uint32_t>(frame * 400 + balloon.start * 64));
    const std::int64_t y = balloon.height * tall / 1000 + sway * radius / 8 / 32768;

    const std::int64_t top = std::max<std::int64_t>((y - radius) / kUnit - 1, 0);
    const std::int64_t bottom = std::min((y + radius) / kUnit + 1, image.height() - 1);
    for (std::int64_t row = top; row <= bottom; ++row) {
        const std::int64_t away = row * kUnit + kUnit / 2 - y;
        if (std::abs(away) < radius)
            draw_row(image, balloon, row, x,
                     std::max<std::int64_t>(square_root(radius * radius - away * away), 1));
    }
}

}  // namespace

void draw_balloons(Image& image, std::int64_t frame) {
    for (const Balloon& balloon : kBalloons) draw(image, balloon, frame);
}

}  // namespace convolab
