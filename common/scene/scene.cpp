// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The scene is painted row by row, from far to near, in colours of 16 bits; each row is then
// brought to 8 bits, with a grain that hides the steps of slow gradients as a camera's does.
#include "common/scene/scene.hpp"

#include <algorithm>
#include <string>

#include "common/base/error.hpp"
#include "common/scene/scene_parts.hpp"

namespace convolab {

Image draw_scene(std::int64_t width, std::int64_t height) {
    if (std::min(width, height) < 1 || std::max(width, height) > 65535)
        throw Error("The scene cannot be drawn at " + std::to_string(width) + "x" +
                    std::to_string(height) + ": sides must be between 1 and 65535 pixels.");
    scene::Canvas canvas(width, height);
    scene::Landscape landscape(canvas);
    scene::Row row(static_cast<std::size_t>(width));
    for (std::int64_t y = 0; y < height; ++y) {
        landscape.paint(y, row);
        scene::paint_chart(canvas, y, row);
        std::uint8_t* out = canvas.image.data<std::uint8_t>() + canvas.image.index(0, y, 0);
        for (std::int64_t x = 0; x < width; ++x) {
            const scene::Colour& colour = row[static_cast<std::size_t>(x)];
            // A colour of whole steps, such as the chart's, is not touched by the grain.
            const auto grain = static_cast<std::int32_t>(scene::hash(x, y, 1) & 255);
            for (const std::int32_t v : {colour.r, colour.g, colour.b})
                *out++ = static_cast<std::uint8_t>(std::clamp((v + grain) >> 8, 0, 255));
        }
    }
    return std::move(canvas.image);
}

}  // namespace convolab
