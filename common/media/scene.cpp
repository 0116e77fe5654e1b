// SPDX-License-Identifier: MIT
// The scene is painted row by row, from far to near, in colours of 16 bits; each row is then
// brought to 8 bits, with a grain that hides the steps of slow gradients as a camera's does. All
// CPUs paint, each its own rows, where these are not seen in others.
#include "common/media/scene.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/error.hpp"
#include "common/media/scene_parts.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

void paint_rows(scene::Canvas& canvas, std::int64_t first, std::int64_t last) {
    scene::Landscape landscape(canvas);
    scene::Row row(static_cast<std::size_t>(canvas.width));
    for (std::int64_t y = first; y < last; ++y) {
        landscape.paint(y, row);
        scene::paint_chart(canvas, y, row);
        std::uint8_t* out = canvas.image.data<std::uint8_t>() + canvas.image.index(0, y, 0);
        for (std::int64_t x = 0; x < canvas.width; ++x) {
            const scene::Colour& colour = row[static_cast<std::size_t>(x)];
            // A colour of whole steps, such as the chart's, is not touched by the grain.
            const auto grain = static_cast<std::int32_t>(scene::hash(x, y, 1) & 255);
            for (const std::int32_t v : {colour.r, colour.g, colour.b})
                *out++ = static_cast<std::uint8_t>(std::clamp((v + grain) >> 8, 0, 255));
        }
    }
}

/// first .. last - 1 in as many parts as there are CPUs; the last of them goes on to `end`.
void paint_parts(scene::Canvas& canvas, std::int64_t first, std::int64_t last, std::int64_t end) {
    const std::int64_t parts = std::clamp<std::int64_t>(last - first, 1, cpu_count());
    const auto begin = [&](std::int64_t i) { return first + (last - first) * i / parts; };
    std::vector<std::jthread> threads;
    for (std::int64_t i = 1; i < parts; ++i)
        threads.emplace_back([&canvas, from = begin(i), to = i + 1 < parts ? begin(i + 1) : end] {
            paint_rows(canvas, from, to);
        });
    paint_rows(canvas, first, parts > 1 ? begin(1) : end);
    for (auto& thread : threads) thread.join();
}

}  // namespace

Image draw_scene(std::int64_t width, std::int64_t height) {
    if (std::min(width, height) < 1 || std::max(width, height) > 65535)
        throw Error("The scene cannot be drawn at " + std::to_string(width) + "x" +
                    std::to_string(height) + ": sides must be between 1 and 65535 pixels.");
    scene::Canvas canvas(width, height);
    const auto first_below = [&](std::int64_t y) {
        std::int64_t row = 0;
        while (row < height && canvas.y_of(row) <= y) ++row;
        return row;
    };
    // The lake mirrors rows that are finished: near its far edge its own, else those above it. In
    // the last rows of a wide picture there are columns that nothing paints: they keep the colours
    // of the row before. A low picture has such rows elsewhere, too.
    using scene::kEdge, scene::kWaterline;
    if (height < 256) {
        paint_rows(canvas, 0, height);
    } else {
        const std::int64_t edge = first_below(kWaterline - kEdge);
        const std::int64_t water = first_below(kWaterline + kEdge);
        paint_parts(canvas, 0, edge, edge);
        paint_rows(canvas, edge, water);
        paint_parts(canvas, water, first_below(scene::kLakeEnd), height);
    }
    return std::move(canvas.image);
}

}  // namespace convolab
