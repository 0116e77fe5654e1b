// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// One variant over the frames of a clip.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "common/driver/check.hpp"
#include "common/driver/options.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

class VideoWorker {
  public:
    VideoWorker(const Lab& lab, const Options& options) : lab_(lab), options_(options) {}

    /// Takes the clip's next frame and gives the next output, where one is ready: a lab that
    /// compares two frames has none for the first, and outputs of frames in flight come later.
    /// Throws Error, where --check asks for it also for an output that differs from the
    /// reference's.
    std::optional<Image> next(Image frame);
    /// After the last frame: an output that is still missing.
    std::optional<Image> finish();
    /// Of the copies and kernels on a GPU; nothing on a CPU.
    std::optional<FrameStream::Times> times() const;

  private:
    Job job();
    void bind(const Job& job);
    std::optional<Image> compute(const Job& job);
    std::optional<Image> checked(std::optional<Image> result);

    const Lab& lab_;
    const Options& options_;
    const Variant& variant_ = *options_.variants.front();
    Image previous_, current_;
    std::unique_ptr<Convolver> convolver_;
    std::unique_ptr<FrameStream> stream_;
    std::deque<Expected> expected_;  ///< of the outputs to come, with --check
    std::int64_t frames_ = 0;        ///< taken
    std::int64_t outputs_ = 0;       ///< given
};

}  // namespace convolab
