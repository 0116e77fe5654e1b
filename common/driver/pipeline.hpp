// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A clip in, a clip out. Three threads read, compute and write at the same time, with short queues
// between them; decoder and encoder are processes of their own, and a GPU copies in, computes and
// copies out at the same time. The slowest stage sets the speed.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "common/driver/channel.hpp"
#include "common/driver/video_worker.hpp"
#include "common/measurement/csv.hpp"
#include "common/video/video.hpp"

namespace convolab {

/// A thread's work, without its waiting for the others.
struct Stage {
    const char* what;
    double seconds = 0;
    std::int64_t frames = 0;

    template <class Work>
    auto time(const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        auto result = work();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return result;
    }
    double ms() const { return 1e3 * seconds / static_cast<double>(frames > 0 ? frames : 1); }
};

class Pipeline {
  public:
    /// Throws what opening the clips throws, UsageError where the output is the input.
    Pipeline(const Lab& lab, const Options& options);

    /// Rethrows the first error, when everything that was written is complete. Throws Error where
    /// the clip had too few frames for an output.
    void run();
    /// Frames, their rate, the time of each stage, and which is the slowest.
    std::string summary() const;
    /// The same as a row of clip_columns(), without what says where it ran.
    Row row() const;
    std::string notes() const {
        const std::string read = source_->note(), written = sink_ ? sink_->note() : "";
        return read + (read.empty() || written.empty() ? "" : " ") + written;
    }

  private:
    void read();
    void compute();
    void write();
    void give(std::optional<Image> output);
    void guarded(const std::function<void()>& stage);
    std::string steps_on_the_gpu() const;
    std::vector<const Stage*> stages() const;
    const Stage& slowest() const;

    static constexpr std::size_t kQueued = 4;  ///< frames between two threads

    const Lab& lab_;
    const Options& options_;
    std::unique_ptr<FrameSource> source_;
    VideoFormat out_format_;
    std::unique_ptr<FrameSink> sink_;  ///< nullptr: the output is only checked
    VideoWorker worker_;
    Channel<Image> in_{kQueued}, out_{kQueued};
    Stage reading_{"reading"}, computing_{"computing"}, writing_{"writing"};
    double seconds_ = 0;
    std::mutex mutex_;
    std::exception_ptr error_;
};

}  // namespace convolab
