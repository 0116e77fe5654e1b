// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What an answer is tried on. An input is never constant, symmetric or square.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace convolab::exercise {

struct Size {
    int width, height;
};

/// A picture, or several frames one after the other: samples of 8 bits, row by row, the channels of
/// a pixel side by side.
struct Input {
    int width, height, channels;
    std::vector<std::uint8_t> samples;

    std::size_t frame_samples() const { return std::size_t(width) * height * channels; }
};

/// Drawn from `seed`; each further frame differs from the first one in about a third of its
/// samples.
inline Input random_input(Size size, int channels, int frames, unsigned seed) {
    Input in{size.width, size.height, channels, {}};
    std::mt19937 draw(seed);
    for (std::size_t i = 0; i < in.frame_samples(); ++i) in.samples.push_back(draw() >> 24);
    for (int frame = 1; frame < frames; ++frame)
        for (std::size_t i = 0; i < in.frame_samples(); ++i) {
            const bool differs = draw() % 3 == 0;
            in.samples.push_back(differs ? draw() >> 24 : in.samples[i]);
        }
    return in;
}

/// Black, but for one white sample of each frame, beside the middle.
inline Input impulse_input(Size size, int channels, int frames) {
    Input in{size.width, size.height, channels, {}};
    in.samples.resize(in.frame_samples() * frames);
    for (int frame = 0; frame < frames; ++frame) {
        const std::size_t x = (size.width / 2 + frame + 1) % size.width, y = size.height / 3;
        in.samples[frame * in.frame_samples() + (y * size.width + x) * channels] = 255;
    }
    return in;
}

}  // namespace convolab::exercise
