// SPDX-License-Identifier: MIT
// The synthetic clip: the scene, seen by a camera whose motion and noise are known.
// Any size, any length, the same bytes on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/image/image.hpp"
#include "common/media/video.hpp"

namespace convolab {

enum class SyntheticKind {
    moving,   ///< the camera stands still, balloons pass
    panning,  ///< the camera turns over the scene: everything moves
    still,    ///< "static": only the noise changes
    black     ///< the camera is covered: nothing but read noise
};

/// The kind of this name: moving, panning, static, black; nothing for another.
std::optional<SyntheticKind> synthetic_kind(const std::string& name);

/// Throws Error or UsageError for a size, length or noise that cannot be.
std::unique_ptr<FrameSource> make_synthetic_source(SyntheticKind kind,
                                                   const SyntheticSettings& settings);

/// Draws the balloons of frame number `frame` over an RGB picture: what moves in the clip `moving`.
/// Integer arithmetic; lengths follow the picture's height, so that the clip is one at any size.
void draw_balloons(Image& image, std::int64_t frame);

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
