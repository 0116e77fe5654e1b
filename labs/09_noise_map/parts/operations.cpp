// SPDX-License-Identifier: MIT
#include "labs/09_noise_map/parts/operations.hpp"

#include <algorithm>
#include <functional>

#include "common/base/error.hpp"
#include "common/noise_map/expected_change.hpp"
#include "common/variant/frame_pair.hpp"

namespace convolab::noise {
namespace {

/// Calls visit(i, previous, current) for each pixel: its number and its samples in both frames.
void for_each_pixel(
    const Job& job,
    const std::function<void(std::int64_t, const std::uint8_t*, const std::uint8_t*)>& visit) {
    const FramePair frames(job);
    if (job.image().channels() != 3)
        throw Unsupported("A noise map needs RGB frames, not " + describe(job.image()) + ".");
    const auto* previous = frames.previous().data<std::uint8_t>();
    const auto* current = frames.current().data<std::uint8_t>();
    for (std::int64_t i = 0; i < frames.pixels(); ++i) visit(i, previous + 3 * i, current + 3 * i);
}

Image black_and_red(const Job& job) {
    Image out(job.image().width(), job.image().height(), 3);
    for_each_pixel(job, [&](auto i, auto* previous, auto* current) {
        if (expects_pixel_change(previous, current)) out.data<std::uint8_t>()[3 * i] = 255;
    });
    return out;
}

Image previous_and_red(const Job& job) {
    Image out = convert(*job.frames.at(0), PixelType::uint8, Layout::interleaved);
    for_each_pixel(job, [&](auto i, auto* previous, auto* current) {
        if (expects_pixel_change(previous, current)) out.data<std::uint8_t>()[3 * i] = 255;
    });
    return out;
}

Image counts(const Job& job) {
    std::int32_t pixels = 0, samples = 0;
    for_each_pixel(job, [&](auto, auto* previous, auto* current) {
        pixels += expects_pixel_change(previous, current);
        for (int c = 0; c < 3; ++c) samples += expects_sample_change(previous[c], current[c]);
    });
    Image out(2, 1, 1, PixelType::int32);
    out.data<std::int32_t>()[0] = pixels;
    out.data<std::int32_t>()[1] = samples;
    return out;
}

Image numbers(const Job& job) {
    Image out(job.image().pixels(), 1, 1, PixelType::int32);
    std::int32_t* next = out.data<std::int32_t>();
    std::fill_n(next, out.samples(), -1);
    for_each_pixel(job, [&](auto i, auto* previous, auto* current) {
        if (expects_pixel_change(previous, current)) *next++ = static_cast<std::int32_t>(i);
    });
    return out;
}

/// bytes_per_pixel: what a variant has to load and store at least, for both frames and the output.
Operation operation(Image (*reference)(const Job&), std::int64_t bytes_per_pixel) {
    Operation operation;
    operation.frames = 2;
    operation.has_filter = false;
    operation.reference = reference;
    operation.allowed_difference = [](const Job&) { return 0.0; };
    operation.bytes = [bytes_per_pixel](const Job& job) {
        return bytes_per_pixel * job.image().pixels();
    };
    operation.operations = [](const Job& job) { return 9 * job.image().pixels(); };
    return operation;
}

}  // namespace

const Operation& red_on_black() {
    static const Operation it = operation(black_and_red, 9);
    return it;
}

const Operation& red_over_previous() {
    static const Operation it = operation(previous_and_red, 6);  // without the stores
    return it;
}

const Operation& count_of_changes() {
    static const Operation it = operation(counts, 6);
    return it;
}

const Operation& list_of_changes() {
    static const Operation it = operation(numbers, 6);  // without the four bytes per change
    return it;
}

}  // namespace convolab::noise
