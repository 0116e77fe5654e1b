// SPDX-License-Identifier: MIT
#include "common/media/synthetic.hpp"

#include <algorithm>
#include <cstring>

#include "common/base/division.hpp"
#include "common/base/error.hpp"
#include "common/base/random_bits.hpp"
#include "common/media/scene.hpp"

namespace convolab {
namespace {

constexpr FrameRate kRate{30, 1};
constexpr std::int64_t kLongest = 1'000'000'000;  ///< frames: over a year
constexpr std::int64_t kWidestScene = 65'535;

class Synthetic final : public FrameSource {
  public:
    Synthetic(SyntheticKind kind, const SyntheticSettings& settings)
        : kind_(kind), frames_(settings.frames), noise_(settings.noise, settings.seed) {
        require_frame_size("The synthetic scene", settings.width, settings.height);
        if (frames_ < 1 || frames_ > kLongest)
            throw UsageError("The synthetic scene must have 1 to " + std::to_string(kLongest) +
                             " frames, not " + std::to_string(frames_) + ".");
        format_ = {settings.width, settings.height, kRate};
        if (kind == SyntheticKind::panning)
            sweep_ = std::min(settings.height / 4, kWidestScene - settings.width);
        if (kind != SyntheticKind::black)
            scene_ = draw_scene(settings.width + sweep_, settings.height);
    }

    bool next(Image& frame) override {
        if (number_ == frames_) return false;
        fit(frame);
        if (kind_ == SyntheticKind::black)
            std::memset(frame.raw(), 0, frame.bytes());
        else
            copy_view(frame);
        if (kind_ == SyntheticKind::moving) draw_balloons(frame, number_);
        noise_.add(frame, number_++);
        return true;
    }

  private:
    /// Pixels that the view is to the right of the scene's left edge: to and fro, at a speed of
    /// 1/270 of the height per frame.
    std::int64_t view() const {
        if (sweep_ <= 0) return 0;
        const std::int64_t way = number_ * format_.height / 270 % (2 * sweep_);
        return way < sweep_ ? way : 2 * sweep_ - way;
    }
    void copy_view(Image& frame) const {
        const auto row = static_cast<std::size_t>(format_.width) * 3;
        for (std::int64_t y = 0; y < format_.height; ++y)
            std::memcpy(frame.raw() + frame.index(0, y, 0),
                        scene_.raw() + scene_.index(view(), y, 0), row);
    }

    SyntheticKind kind_;
    std::int64_t frames_, number_ = 0;
    std::int64_t sweep_ = 0;  ///< pixels that the scene is wider than the view
    NoiseMaker noise_;
    Image scene_;
};

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

std::optional<SyntheticKind> synthetic_kind(const std::string& name) {
    if (name == "moving") return SyntheticKind::moving;
    if (name == "panning") return SyntheticKind::panning;
    if (name == "static") return SyntheticKind::still;
    if (name == "black") return SyntheticKind::black;
    return {};
}

std::unique_ptr<FrameSource> make_synthetic_source(SyntheticKind kind,
                                                   const SyntheticSettings& settings) {
    return std::make_unique<Synthetic>(kind, settings);
}

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
