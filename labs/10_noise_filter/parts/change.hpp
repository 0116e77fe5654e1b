// SPDX-License-Identifier: MIT
// A change is defined as in lab 09.
#pragma once

#include "common/noise_map/change.hpp"

namespace convolab::noise_filter {

using noise::kThreshold, noise::pixel_changed, noise::sample_changed;

/// RGB: changed pixels become red, and all others black. mark_rows() of lab 09 is faster.
inline void mark(const std::uint8_t* previous, const std::uint8_t* current, std::uint8_t* out,
                 std::int64_t pixels) {
    for (std::int64_t i = 0; i < 3 * pixels; i += 3) {
        out[i] = pixel_changed(previous + i, current + i) ? 255 : 0;
        out[i + 1] = 0;
        out[i + 2] = 0;
    }
}

}  // namespace convolab::noise_filter
