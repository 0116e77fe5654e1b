// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The noise of a camera's sensor, in integer arithmetic: the same bytes on every machine.
#pragma once

#include <array>
#include <cstdint>

#include "common/image/image.hpp"
#include "common/video/synthetic_settings.hpp"

namespace convolab {

/// Read noise (the same everywhere) and shot noise (its variance grows with the light). A sample's
/// noise is the sum of four even random numbers, so it is close to a normal distribution and never
/// beyond 3.5 standard deviations; it depends on the seed, the frame's number and the sample's
/// place.
class NoiseMaker {
  public:
    /// Throws UsageError for a standard deviation over 32 steps or a negative setting.
    NoiseMaker(const SensorNoise& noise, std::uint64_t seed);

    /// Adds the noise of frame number `frame` to uint8 samples, clamped to 0..255.
    void add(Image& image, std::int64_t frame) const;

  private:
    std::array<std::int32_t, 256> scale_;  ///< by brightness: standard deviation, fixed point
    std::uint64_t seed_;
};

}  // namespace convolab
