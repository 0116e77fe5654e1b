// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The synthetic clip: what can be chosen about it.
#pragma once

#include <cstdint>

namespace convolab {

/// Noise of a camera's sensor: its variance at a sample of value v is read^2 + shot * v.
struct SensorNoise {
    int read_in_16ths = 32;   ///< standard deviation in the dark, in 1/16 of a step of a sample
    int shot_in_256ths = 26;  ///< variance per step of brightness, in 1/256
};

struct SyntheticSettings {
    std::int64_t width = 1920, height = 1080;  ///< pixels
    std::int64_t frames = 100;                 ///< length of the clip
    std::uint64_t seed = 1;                    ///< of the noise
    SensorNoise noise = {};
};

}  // namespace convolab
