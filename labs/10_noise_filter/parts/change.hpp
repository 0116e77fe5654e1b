// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What counts as a change, as in lab 09: a sample that differs by more than the threshold.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "common/base/device_code.hpp"

namespace convolab::noise_filter {

inline constexpr int kThreshold = 20;

HOST_DEVICE inline bool sample_changed(int a, int b) { return std::abs(a - b) > kThreshold; }

HOST_DEVICE inline bool pixel_changed(const std::uint8_t* a, const std::uint8_t* b) {
    return sample_changed(a[0], b[0]) || sample_changed(a[1], b[1]) || sample_changed(a[2], b[2]);
}

/// RGB: red where the pixel changed, black elsewhere.
inline void mark(const std::uint8_t* previous, const std::uint8_t* current, std::uint8_t* out,
                 std::int64_t pixels) {
    for (std::int64_t i = 0; i < 3 * pixels; i += 3) {
        out[i] = pixel_changed(previous + i, current + i) ? 255 : 0;
        out[i + 1] = 0;
        out[i + 2] = 0;
    }
}

}  // namespace convolab::noise_filter
