// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab run --video: a clip in, a clip out. Three threads read, compute and write at the same time,
// with short queues between them; decoder and encoder are processes of their own. The slowest sets
// the speed, and the summary names it.
#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

#include "common/base/error.hpp"
#include "common/driver/channel.hpp"
#include "common/driver/clip.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/video_worker.hpp"
#include "common/video/video.hpp"

namespace convolab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kQueued = 4;  ///< frames between two threads

/// Seconds that a thread worked, without its waiting for the others.
struct Stage {
    const char* what;
    double seconds = 0;
    std::int64_t frames = 0;

    template <class Work>
    auto time(const Work& work) {
        const auto start = Clock::now();
        auto result = work();
        seconds += std::chrono::duration<double>(Clock::now() - start).count();
        return result;
    }
    double ms_per_frame() const {
        return frames > 0 ? 1e3 * seconds / static_cast<double>(frames) : 0;
    }
};

class Pipeline {
  public:
    Pipeline(const Lab& lab, const Options& options)
        : options_(options),
          source_(open_clip(options.video, options.length)),
          sink_(open_sink_for(options, *source_)),
          worker_(lab, options) {}

    /// Rethrows the first error, when everything that was written is complete.
    void run();
    std::string summary() const;
    std::string notes() const { return source_->note() + (sink_ ? sink_->note() : ""); }

  private:
    static std::unique_ptr<FrameSink> open_sink_for(const Options& options,
                                                    const FrameSource& source);
    void read();
    void compute();
    void write();
    void guarded(const std::function<void()>& stage);

    const Options& options_;
    std::unique_ptr<FrameSource> source_;
    std::unique_ptr<FrameSink> sink_;  ///< nullptr: the output is only checked
    VideoWorker worker_;
    Channel<Image> in_{kQueued}, out_{kQueued};
    Stage reading_{"reading"}, computing_{"computing"}, writing_{"writing"};
    double seconds_ = 0;
    std::mutex mutex_;
    std::exception_ptr trouble_;
};

std::unique_ptr<FrameSink> Pipeline::open_sink_for(const Options& options,
                                                   const FrameSource& source) {
    if (options.out.empty()) return nullptr;
    if (is_same_file(options.video, options.out))
        throw UsageError("Option --out: '" + options.out + "' is the input clip; name another.");
    return open_sink(options.out, source.format());
}

void Pipeline::read() {
    for (std::int64_t n = 0; (!options_.length || n < *options_.length) && !interrupted(); ++n) {
        Image frame;
        if (!reading_.time([&] { return source_->next(frame); })) break;
        ++reading_.frames;
        if (!in_.push(std::move(frame))) break;
    }
    in_.close();
}

void Pipeline::compute() {
    while (auto frame = in_.pop()) {
        auto result = computing_.time([&] { return worker_.next(std::move(*frame)); });
        if (!result) continue;
        ++computing_.frames;
        if (!out_.push(std::move(*result))) break;
    }
    out_.close();
}

void Pipeline::write() {
    while (const auto frame = out_.pop()) {
        if (!sink_) continue;
        writing_.time([&] {
            sink_->write(*frame);
            return true;
        });
        ++writing_.frames;
    }
    if (sink_)
        writing_.time([&] {
            sink_->finish();
            return true;
        });
}

/// An error in one thread ends the others: they find their queues closed.
void Pipeline::guarded(const std::function<void()>& stage) {
    try {
        stage();
    } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!trouble_) trouble_ = std::current_exception();
    }
    in_.close();
}

void Pipeline::run() {
    const auto start = Clock::now();
    std::thread reader([this] { guarded([this] { read(); }); });
    std::thread writer([this] {
        guarded([this] { write(); });
        out_.close();
    });
    guarded([this] { compute(); });
    out_.close();
    reader.join();
    writer.join();
    seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    if (trouble_) std::rethrow_exception(trouble_);
}

std::string Pipeline::summary() const {
    std::vector<const Stage*> stages = {&reading_, &computing_};
    if (sink_) stages.push_back(&writing_);
    const VideoFormat& format = source_->format();
    std::ostringstream text;
    text << std::setprecision(3) << reading_.frames << " frames of " << format.width << 'x'
         << format.height << " in " << seconds_ << " s, "
         << static_cast<double>(reading_.frames) / seconds_ << " per second (the clip has "
         << static_cast<double>(format.rate.numerator) /
                static_cast<double>(format.rate.denominator)
         << "). Per frame: ";
    for (const Stage* stage : stages)
        text << stage->what << ' ' << stage->ms_per_frame() << " ms, ";
    const auto* slowest = *std::max_element(
        stages.begin(), stages.end(), [](auto* a, auto* b) { return a->seconds < b->seconds; });
    text << slowest->what << " sets the speed.";
    return text.str();
}

}  // namespace

int run_video_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    Pipeline pipeline(lab, options);
    pipeline.run();
    if (!pipeline.notes().empty()) std::cerr << options.video << ": " << pipeline.notes() << '\n';
    std::ostream& say = options.out == "-" ? std::cerr : std::cout;
    say << (options.out.empty() ? options.video : options.out) << ": by "
        << options.variants.front()->name
        << (options.best_variant ? " (the lab's best; --variant names another)" : "")
        << (options.check ? ", identical to the reference" : "") << ". " << pipeline.summary()
        << '\n';
    return interrupted() ? interrupted_exit_code() : 0;
}

}  // namespace convolab
