// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/video/synthetic.hpp"

#include <algorithm>
#include <cstring>

#include "common/base/error.hpp"
#include "common/scene/scene.hpp"

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

}  // namespace convolab
