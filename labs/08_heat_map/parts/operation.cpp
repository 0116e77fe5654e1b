// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/08_heat_map/parts/operation.hpp"

#include "common/base/error.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/08_heat_map/parts/colours.hpp"

namespace convolab::heat {
namespace {

/// Pixel by pixel; the formula in double precision, once for each difference.
Image heat_map(const Job& job) {
    const FramePair frames(job);
    if (job.image().channels() != 3)
        throw Unsupported("A heat map is of RGB frames, not of " + describe(job.image()) + ".");
    Image out(job.image().width(), job.image().height(), 3);
    const auto colours = all_colours();
    const auto* previous = frames.previous().data<std::uint8_t>();
    const auto* current = frames.current().data<std::uint8_t>();
    for (std::int64_t i = 0; i < out.samples(); i += 3)
        put(out.data<std::uint8_t>() + i, colours[difference(current + i, previous + i)]);
    return out;
}

}  // namespace

Operation operation() {
    Operation operation;
    operation.frames = 2;
    operation.has_filter = false;
    operation.reference = heat_map;
    operation.allowed_difference = [](const Job&) { return 0.0; };
    operation.bytes = [](const Job& job) { return 9 * job.image().pixels(); };
    operation.operations = [](const Job& job) { return 8 * job.image().pixels(); };
    return operation;
}

}  // namespace convolab::heat
