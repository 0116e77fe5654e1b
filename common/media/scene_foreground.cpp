// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "common/media/scene_parts.hpp"

namespace convolab::scene {
namespace {

struct Tree {
    std::int64_t x, top, foot, half_width;  ///< thousandths of the picture's height
};
constexpr Tree kTrees[] = {
    {-585, 520, 880, 52},
    {-655, 400, 905, 74},
    {-850, 330, 925, 96},
    {-745, 210, 950, 112},
};

}  // namespace

void Landscape::cabin(std::int64_t y, Row& row) {
    constexpr std::int64_t kLeft = milli(-150), kRight = milli(-78), kMiddle = (kLeft + kRight) / 2;
    constexpr std::int64_t kEaves = milli(564), kFloor = milli(601), kGable = milli(537);
    const auto within = [&](std::int64_t x, std::int64_t left, std::int64_t right, std::int64_t top,
                            std::int64_t bottom) {
        const std::int64_t inside = std::min({x - left, right - x, y - top, bottom - y});
        return canvas_.cover(inside);
    };
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t x = canvas_.x[i];
        if (x < kLeft - milli(20) || x > kRight + milli(20)) continue;
        Colour& colour = row[i];
        const auto put = [&](Colour paint, std::int32_t cover) {
            colour = mix(colour, paint, cover);
        };
        put(rgb(70, 64, 66), within(x, milli(-98), milli(-90), milli(530), milli(557)));  // chimney
        put(rgb(128, 76, 52), within(x, kLeft, kRight, kEaves, kFloor));
        if ((y - kEaves) % milli(6) < milli(1))  // gaps between the boards
            put(rgb(92, 52, 38), within(x, kLeft, kRight, kEaves, kFloor));
        put(rgb(58, 38, 30), within(x, milli(-122), milli(-108), milli(575), kFloor));
        for (const std::int64_t window : {milli(-143), milli(-99)}) {
            put(rgb(240, 232, 220), within(x, window, window + milli(15), milli(573), milli(588)));
            put(rgb(255, 206, 110),
                within(x, window + milli(2), window + milli(13), milli(575), milli(586)));
        }
        const std::int64_t slope = (y - kGable) * 3 / 2;  // the roof, with a gable to each side
        const std::int64_t roof = std::min(slope - std::abs(x - kMiddle), kEaves + milli(5) - y);
        put(rgb(110, 46, 44), canvas_.cover(roof));
    }
}

void Landscape::meadow(std::int64_t y, Row& row) {
    fractal_row(canvas_, {.seed = 61, .cells = 40, .gain = 200}, y / 3, noise_);
    fractal_row(canvas_, {.seed = 62, .cells = 4, .octaves = 5, .gain = 150}, y * 2, detail_);
    const std::int64_t cell = milli(9);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t below = y - shore_[i] + noise_[i] / 6;  // blades stand above the edge
        const std::int32_t cover = canvas_.cover(below);
        if (cover == 0) continue;
        const std::int32_t light = limit(96 + noise_[i] / 110 + detail_[i] / 150, 0, 256);
        const Colour lush = mix(rgb(22, 40, 16), rgb(132, 150, 62), light);
        const Colour dry = mix(rgb(50, 42, 20), rgb(190, 166, 92), light);
        Colour colour = mix(lush, dry, limit(70 + detail_[i] / 70, 0, 220));
        colour = mix(colour, rgb(20, 26, 14), ramp(y, milli(860), milli(1120)));
        colour = mix(rgb(86, 76, 58), colour, ramp(below, 0, milli(7)));  // the bank

        // Flowers: a disc in some cells of a grid, larger towards us.
        const std::int64_t cx = (canvas_.x[i] + 64 * kOne) / cell, cy = y / cell;
        const std::uint32_t h = hash(cx, cy, 63);
        if ((h & 15) < 2 && below > milli(12)) {
            const std::int64_t radius = milli(1) + (y - milli(780)) / 130;
            const std::int64_t room = cell - 2 * radius;
            const std::int64_t dx =
                canvas_.x[i] + 64 * kOne - cx * cell - radius - room * (h >> 8 & 255) / 256;
            const std::int64_t dy = y - cy * cell - radius - room * (h >> 16 & 255) / 256;
            const std::int64_t inside = (radius * radius - dx * dx - dy * dy) / (2 * radius);
            constexpr Colour kPetals[] = {rgb(250, 244, 236), rgb(246, 208, 70), rgb(214, 74, 66),
                                          rgb(176, 120, 200)};
            colour = mix(colour, kPetals[h >> 24 & 3], canvas_.cover(inside));
        }
        row[i] = mix(row[i], colour, cover);
    }
}

void Landscape::trees(std::int64_t y, Row& row) {
    const auto column = [&](std::int64_t x) {
        const auto& all = canvas_.x;
        return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), x) - all.begin());
    };
    const std::size_t begin = column(milli(-1010)), end = column(milli(-490));  // of all the trees
    bool drawn = false;
    for (const Tree& tree : kTrees) {
        const std::int64_t top = milli(tree.top), foot = milli(tree.foot), x0 = milli(tree.x);
        if (y < top || y > foot) continue;
        if (!drawn) {
            fractal_row(canvas_, {.seed = 71, .cells = 70, .gain = 190}, y, noise_, kOne, begin,
                        end);
            fractal_row(canvas_, {.seed = 72, .cells = 9, .octaves = 4, .gain = 160}, y * 3,
                        detail_, kOne, begin, end);
            drawn = true;
        }
        const std::int64_t crown = foot - milli(26), tall = crown - top;
        const std::int64_t trunk = (y - top) / 48;
        for (std::size_t i = begin; i < end; ++i) {
            const std::int64_t away = std::abs(canvas_.x[i] - x0);
            if (away > milli(tree.half_width + 40)) continue;
            const std::int32_t wood = canvas_.cover(trunk - away);
            if (wood > 0)
                row[i] = mix(row[i],
                             mix(rgb(30, 22, 18), rgb(82, 62, 46),
                                 limit(128 + noise_[i] / 90 + (x0 - canvas_.x[i]) / 60, 0, 256)),
                             wood);
            // Branches hang outwards in tiers, wider and further apart towards the foot: place t
            // along the tree, and within a tier from its top (0) to its tips (255).
            const std::int64_t side = limit((x0 - canvas_.x[i]) * 14, -kOne / 4, kOne / 4);
            const std::int64_t t =
                std::max<std::int64_t>((y - top - away * 2 / 5) * kOne / tall, 0);
            const std::int64_t tier =
                (t * 21 - t * t / kOne * 7 + side + noise_[i] * 6) >> 12 & 255;
            const std::int64_t half = milli(tree.half_width) * t / kOne * (130 + tier / 2) / 256;
            const std::int64_t ragged = (noise_[i] + detail_[i] / 2) * (half + milli(5)) / 60000;
            const std::int64_t above = crown - away / 2 + noise_[i] * 2 - y;
            const std::int32_t cover = canvas_.cover(std::min(half - away + ragged, above));
            if (cover == 0) continue;
            const std::int64_t lit = (x0 - canvas_.x[i]) * 50 / (half + milli(5));
            const std::int32_t light = limit(22 + noise_[i] / 110 + lit + tier / 2, 0, 256);
            row[i] = mix(row[i], mix(rgb(6, 18, 14), rgb(104, 126, 66), light), cover);
        }
    }
}

}  // namespace convolab::scene
