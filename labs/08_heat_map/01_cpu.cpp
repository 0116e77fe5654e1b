// SPDX-License-Identifier: MIT
// cpu -- the formula for every pixel
// Source: videostream2021, 1.1.
// Idea: the changes of the three channels are added, and three sines turn the sum into a colour.
// Since lab 01's aos: it reads two pictures and no neighbours, because there is no filter.
// Limit: three sines in double precision per pixel, although there are only 766 different sums.
// Alone: build/labs/08_heat_map/lab bench --variant cpu --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/08_heat_map/parts/colours.hpp"
#include "labs/08_heat_map/variants.hpp"

namespace convolab::heat {
namespace {

void heat_map(FramePair& frames, Image& result) {
    const auto* previous = frames.previous().data<std::uint8_t>();
    const auto* current = frames.current().data<std::uint8_t>();
    auto* out = result.data<std::uint8_t>();
    for (std::int64_t i = 0; i < 3 * frames.pixels(); i += 3)
        put(out + i, colour_of<double>(difference(current + i, previous + i)));
}

}  // namespace

const Variant cpu = cpu_variant({.name = "cpu",
                                 .idea = "one thread, the formula for every pixel",
                                 .channels = {3},
                                 .backend = &cpu_backend()},
                                heat_map);

}  // namespace convolab::heat
