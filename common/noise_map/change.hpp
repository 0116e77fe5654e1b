// SPDX-License-Identifier: MIT
// What counts as a change: a sample that differs by more than the threshold. A pixel changed where
// any of its three samples did.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "common/base/device_code.hpp"

namespace convolab::noise {

inline constexpr int kThreshold = 20;

/// Differences run from -255 to 255: an int holds them, a signed byte does not.
HOST_DEVICE inline bool sample_changed(int a, int b) { return std::abs(a - b) > kThreshold; }

HOST_DEVICE inline bool pixel_changed(const std::uint8_t* a, const std::uint8_t* b) {
    return sample_changed(a[0], b[0]) || sample_changed(a[1], b[1]) || sample_changed(a[2], b[2]);
}

}  // namespace convolab::noise
