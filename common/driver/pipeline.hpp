// SPDX-License-Identifier: MIT
// Reads a clip and writes a clip. Three threads read, compute and write at the same time, with
// short queues between them. The decoder and the encoder are separate processes, and a GPU copies
// in, computes and copies out at the same time. The slowest stage sets the speed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "common/driver/expected.hpp"
#include "common/driver/options.hpp"
#include "common/measurement/csv.hpp"
#include "common/media/video.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

/// A short queue between two threads: the faster one waits for the slower one.
template <class T>
class Channel {
  public:
    explicit Channel(std::size_t capacity) : capacity_(capacity) {}

    /// Waits for a free place. False: the channel is closed, and the value is dropped.
    bool push(T value) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || queue_.size() < capacity_; });
        if (closed_) return false;
        queue_.push_back(std::move(value));
        changed_.notify_all();
        return true;
    }

    /// Waits for a value. Nothing: the channel is closed and empty.
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
        if (queue_.empty()) return {};
        T value = std::move(queue_.front());
        queue_.pop_front();
        changed_.notify_all();
        return value;
    }

    /// No more values; those that are in the queue can still be taken.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> queue_;
    std::size_t capacity_;
    bool closed_ = false;
};

/// One variant over the frames of a clip.
class VideoWorker {
  public:
    VideoWorker(const Lab& lab, const Options& options) : lab_(lab), options_(options) {}

    /// Takes the clip's next frame and gives the next output if one is ready: a lab that compares
    /// two frames has none for the first, and outputs of frames in flight come later. Throws Error;
    /// with --check also for an output that differs from the reference's.
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
    /// Throws what opening the clips throws, and UsageError if the output is the input.
    Pipeline(const Lab& lab, const Options& options);

    /// Rethrows the first error once everything that was written is complete. Throws Error if the
    /// clip has too few frames for an output.
    void run();
    /// Frames, their rate, the time of each stage, and which is the slowest.
    std::string summary() const;
    /// The same as a row of clip_columns(), without what says where it ran.
    Row row() const;

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
