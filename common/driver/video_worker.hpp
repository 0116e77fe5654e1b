// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// One variant over the frames of a clip.
#pragma once

#include <memory>
#include <optional>

#include "common/driver/options.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

class VideoWorker {
  public:
    VideoWorker(const Lab& lab, const Options& options) : lab_(lab), options_(options) {}

    /// Takes the clip's next frame and gives the next output; nothing where the lab compares two
    /// frames and this was the first. Throws Error, where --check asks for it also for an output
    /// that differs from the reference's.
    std::optional<Image> next(Image frame);

  private:
    Job job();

    const Lab& lab_;
    const Options& options_;
    Image previous_, current_;
    std::unique_ptr<Convolver> convolver_;
    std::int64_t frames_ = 0;  ///< taken
};

}  // namespace convolab
