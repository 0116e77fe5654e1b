// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/base/division.hpp"
#include "common/base/error.hpp"
#include "common/base/random_bits.hpp"
#include "common/video/synthetic.hpp"

namespace convolab {
namespace {

/// The sum of four numbers drawn evenly from 0..65535: its mean, and its standard deviation
/// sqrt(4 (65536^2 - 1) / 12), rounded.
constexpr std::int32_t kMean = 131'070;
constexpr std::int64_t kDeviation = 37'837;
constexpr int kFraction = 24;  ///< bits below one step of a sample

std::int32_t four_numbers(std::uint64_t bits) {
    return static_cast<std::int32_t>((bits & 0xffff) + (bits >> 16 & 0xffff) +
                                     (bits >> 32 & 0xffff) + (bits >> 48));
}

}  // namespace

NoiseMaker::NoiseMaker(const SensorNoise& noise, std::uint64_t seed) : scale_{}, seed_(seed) {
    const std::int64_t read = noise.read_in_16ths, shot = noise.shot_in_256ths;
    if (read < 0 || shot < 0 || read * read + shot * 255 > 32 * 32 * 256)
        throw UsageError(
            "The noise of the synthetic scene must be at least 0 and have a standard deviation of "
            "at most 32.");
    for (std::size_t v = 0; v < scale_.size(); ++v) {
        // The variance has 8 bits of fraction; with 24 more, its root has 16.
        const std::int64_t variance = read * read + shot * static_cast<std::int64_t>(v);
        const std::int64_t deviation = square_root(variance << 24);
        scale_[v] = static_cast<std::int32_t>((deviation << (kFraction - 16)) / kDeviation);
    }
}

void NoiseMaker::add(Image& image, std::int64_t frame) const {
    const std::uint64_t start =
        random_bits(random_bits(seed_ + kRandomStep) + static_cast<std::uint64_t>(frame));
    auto* samples = image.data<std::uint8_t>();
    for (std::int64_t i = 0; i < image.samples(); ++i) {
        const std::uint64_t bits = random_bits(start + static_cast<std::uint64_t>(i) * kRandomStep);
        const std::int32_t noise = (four_numbers(bits) - kMean) * scale_[samples[i]];
        const std::int32_t steps = (noise + (1 << (kFraction - 1))) >> kFraction;
        samples[i] = static_cast<std::uint8_t>(std::clamp(samples[i] + steps, 0, 255));
    }
}

}  // namespace convolab
