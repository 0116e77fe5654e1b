// SPDX-License-Identifier: MIT
#include "labs/08_heat_map/parts/operation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/base/error.hpp"
#include "common/variant/frame_pair.hpp"

namespace convolab::heat {
namespace {

// This repeats the formula of parts/colours.hpp. The variants include that header. If the reference
// did so, too, verify could not see a mistake in it.
constexpr double kPi = 3.14159265358979323846;

/// Rounds half up. The error of a sine of 1/2, about 1e-16, must not decide a tie.
std::uint8_t rounded(double sine) {
    return sine <= 0 ? 0 : static_cast<std::uint8_t>(std::floor(255 * sine + 0.5 + 1e-9));
}

Image heat_map(const Job& job) {
    const FramePair frames(job);
    if (job.image().channels() != 3)
        throw Unsupported("A heat map needs RGB frames, not " + describe(job.image()) + ".");
    Image out(job.image().width(), job.image().height(), 3);
    const auto* previous = frames.previous().data<std::uint8_t>();
    const auto* current = frames.current().data<std::uint8_t>();
    std::uint8_t colours[3 * 255 + 1][3];
    for (int d = 0; d <= 3 * 255; ++d)
        for (int c = 0; c < 3; ++c)
            colours[d][c] = rounded(std::sin(kPi * (d / 765.0 + (c - 1) / 2.0)));
    for (std::int64_t i = 0; i < out.samples(); i += 3) {
        int d = 0;
        for (int c = 0; c < 3; ++c) d += std::abs(int{current[i + c]} - int{previous[i + c]});
        std::copy_n(colours[d], 3, out.data<std::uint8_t>() + i);
    }
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
