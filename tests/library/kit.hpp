// SPDX-License-Identifier: MIT
// Tasks and buffers as callers have them, compared with the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "common/convolution/reference.hpp"
#include "library/convolab.hpp"
#include "tests/catch.hpp"

namespace convolab::lib {

struct Size {
    std::int64_t width, height;
    int channels;

    std::int64_t row() const { return width * channels; }
};

inline std::vector<std::uint8_t> noise(std::int64_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> all(static_cast<std::size_t>(bytes));
    for (std::uint8_t& byte : all) byte = static_cast<std::uint8_t>(random());
    return all;
}

/// K x K taps of up to `bits` bits that are not separable.
inline std::vector<std::int32_t> direct_taps(int side, int bits) {
    std::mt19937 random(static_cast<unsigned>(side + bits));
    std::vector<std::int32_t> taps(static_cast<std::size_t>(side) * side);
    for (std::int32_t& tap : taps)
        tap = static_cast<std::int32_t>(random() % (1U << bits)) - (1 << (bits - 1));
    return taps;
}

/// Separable and other filters with small and large taps, of every side up to 9.
inline std::vector<Task> filters() {
    return {{.taps = {3}, .divisor = 2},
            {.taps = {1, 2, 1, 2, 4, 2, 1, 2, 1}, .divisor = 16},
            {.taps = std::vector<std::int32_t>(25, 1), .divisor = 25},
            {.taps = make_filter("gaussian", 5).taps(), .divisor = 65536},
            {.taps = make_filter("gaussian", 9).taps(), .divisor = 65536},
            {.taps = {-1, -2, -1, -2, 28, -2, -1, -2, -1}, .divisor = 16},
            {.taps = direct_taps(3, 8), .divisor = 7},
            {.taps = direct_taps(5, 8), .divisor = 100},
            {.taps = direct_taps(5, 11), .divisor = 1000},
            {.taps = direct_taps(7, 7), .divisor = 64},
            {.taps = direct_taps(9, 8), .divisor = 300}};
}

inline Filter filter_of(const Task& task) {
    const auto side = static_cast<int>(std::lround(std::sqrt(task.taps.size())));
    return {"of a test", side, task.taps, task.divisor};
}

/// Completes the task for a picture of this size with this border; false if that is impossible.
inline bool complete(Task& task, const Size& size, const Border& border) {
    task.width = size.width;
    task.height = size.height;
    task.channels = size.channels;
    task.border = to_string(border);
    return border.rule != BorderRule::renormalise || filter_of(task).can_renormalise();
}

inline Size output_size(const Task& task) {
    const int lost = task.border == "valid" ? filter_of(task).ksize() - 1 : 0;
    return {task.width - lost, task.height - lost, task.channels};
}

/// The bytes of a view of this size in `memory`, one row after the other.
template <class Bytes>
std::vector<std::uint8_t> rows_of(const Bytes& memory, const Size& size, std::int64_t offset,
                                  std::int64_t pitch) {
    std::vector<std::uint8_t> rows;
    for (std::int64_t y = 0; y < size.height; ++y)
        rows.insert(rows.end(), memory.begin() + offset + y * pitch,
                    memory.begin() + offset + y * pitch + size.row());
    return rows;
}

inline std::vector<std::uint8_t> reference(const Task& task,
                                           const std::vector<std::uint8_t>& input_rows) {
    Image image(task.width, task.height, task.channels);
    std::copy(input_rows.begin(), input_rows.end(), image.data<std::uint8_t>());
    const Image out = reference_convolution({{&image}, filter_of(task), parse_border(task.border)});
    return {out.data<std::uint8_t>(), out.data<std::uint8_t>() + out.samples()};
}

/// Whether the view in `out` equals `expected`, and nothing was written around it.
inline bool holds_only(const std::vector<std::uint8_t>& out,
                       const std::vector<std::uint8_t>& before, const Size& size,
                       std::int64_t offset, std::int64_t pitch,
                       const std::vector<std::uint8_t>& expected) {
    std::vector<std::uint8_t> wanted = before;
    for (std::int64_t y = 0; y < size.height; ++y)
        std::copy_n(expected.begin() + y * size.row(), size.row(),
                    wanted.begin() + offset + y * pitch);
    return out == wanted;
}

inline std::string describe(const Task& task) {
    return std::to_string(task.width) + " x " + std::to_string(task.height) + " x " +
           std::to_string(task.channels) + ", " + std::to_string(task.taps.size()) +
           " taps, over " + std::to_string(task.divisor) + ", " + task.border;
}

}  // namespace convolab::lib
