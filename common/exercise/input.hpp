// SPDX-License-Identifier: MIT
// What an answer is tried on. An input is never constant, symmetric or square.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace convolab::exercise {

struct Size {
    int width, height;
};

/// One of the pictures that an answer gets: its number, its size, and what it is drawn from.
struct Drawn {
    int turn;
    Size size;
    unsigned seed;
    bool is_impulse = false;
};

/// A picture, or several frames one after the other: samples of 8 bits, row by row, the channels of
/// a pixel side by side.
struct Input {
    int width, height, channels;
    std::vector<std::uint8_t> samples;
    int turn = 0;  ///< the first one is 0

    std::size_t frame_samples() const { return std::size_t(width) * height * channels; }
};

/// "37 x 23"
inline std::string name(const Input& in) {
    return std::to_string(in.width) + " x " + std::to_string(in.height);
}

/// Each further frame differs from the first one in about a third of its samples.
inline void fill_randomly(Input& in, int frames, unsigned seed) {
    std::mt19937 draw(seed);
    const std::size_t frame = in.frame_samples();
    in.samples.resize(frame * frames);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < in.samples.size(); ++i, word >>= 8) {
        if (i % 4 == 0) word = static_cast<std::uint32_t>(draw());
        const bool is_kept = frame > 0 && i >= frame && draw() % 3 != 0;
        in.samples[i] = is_kept ? in.samples[i % frame] : word & 255;
    }
}

/// Black, except one white sample of each frame, beside the middle.
inline void fill_with_impulse(Input& in, int frames) {
    in.samples.resize(in.frame_samples() * frames);
    for (int frame = 0; frame < frames; ++frame) {
        const std::size_t x = (in.width / 2 + frame + 1) % in.width, y = in.height / 3;
        in.samples[frame * in.frame_samples() + (y * in.width + x) * in.channels] = 255;
    }
}

inline Input without_samples(const Drawn& drawn, int channels) {
    return {drawn.size.width, drawn.size.height, channels, {}, drawn.turn};
}

inline Input make_input(const Drawn& drawn, int channels, int frames) {
    Input in = without_samples(drawn, channels);
    drawn.is_impulse ? fill_with_impulse(in, frames) : fill_randomly(in, frames, drawn.seed);
    return in;
}

/// What an output holds before the call.
template <class T>
std::vector<T> rubbish(std::size_t values, unsigned seed) {
    std::vector<T> out(values);
    for (T& value : out) value = static_cast<T>((seed = seed * 1664525 + 1013904223) >> 16);
    return out;
}

}  // namespace convolab::exercise
