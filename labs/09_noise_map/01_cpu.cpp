// SPDX-License-Identifier: MIT
// cpu -- red where a pixel changed
// Source: videostream2021, 2.0.1.
// Idea: a pixel is marked if one of its three samples differs by more than the threshold of 20.
// Since lab 08's cpu: it compares instead of computing a colour. Pixels without a change are black.
// Limit: up to three branches per pixel. The more pixels change, the more often the processor
//     guesses wrong which way they go.
// Alone: build/labs/09_noise_map/lab bench --variant cpu --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/noise_map/change.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {
namespace {

void noise_map(FramePair& frames, Image& result) {
    const auto* previous = frames.previous().data<std::uint8_t>();
    const auto* current = frames.current().data<std::uint8_t>();
    auto* out = result.data<std::uint8_t>();
    for (std::int64_t i = 0; i < 3 * frames.pixels(); i += 3) {
        out[i] = pixel_changed(previous + i, current + i) ? 255 : 0;
        out[i + 1] = 0;
        out[i + 2] = 0;
    }
}

}  // namespace

const Variant cpu = cpu_variant({.name = "cpu",
                                 .idea = "one thread, pixel by pixel",
                                 .channels = {3},
                                 .backend = &cpu_backend()},
                                noise_map);

}  // namespace convolab::noise
