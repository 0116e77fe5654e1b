// SPDX-License-Identifier: MIT
// What an answer is tried on. An input is never constant, symmetric or square.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace convolab::exercise {

/// Random numbers. <random> takes as long to compile as all that a judge's page needs.
class Draw {
  public:
    using result_type = std::uint32_t;
    explicit Draw(std::uint32_t seed) : state_(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return 0xffffffff; }
    result_type operator()() {  // SplitMix
        std::uint32_t word = state_ += 0x9e3779b9;
        word = (word ^ word >> 16) * 0x85ebca6b;
        word = (word ^ word >> 13) * 0xc2b2ae35;
        return word ^ word >> 16;
    }

  private:
    std::uint32_t state_;
};

/// From `from` on, fewer than `more` more.
inline int drawn_from(int from, int more, Draw& draw) {
    return from + static_cast<int>(draw() % more);
}

struct Size {
    int width, height;
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

}  // namespace convolab::exercise
