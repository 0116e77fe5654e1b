// SPDX-License-Identifier: MIT
#include "common/driver/pipeline.hpp"

#include <algorithm>
#include <iostream>
#include <thread>
#include <vector>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/interrupts.hpp"
#include "common/driver/tasks.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/results.hpp"

namespace convolab {
namespace {

/// As the input's; with border `valid` smaller.
VideoFormat format_of_output(const Lab& lab, const Options& options, VideoFormat format) {
    if (!lab.operation.has_filter || options.border.rule != BorderRule::valid) return format;
    const int lost = options.filters.front().ksize() - 1;
    format.width -= lost;
    format.height -= lost;
    return format;
}

/// Frames per second when it is watched.
double rate_of(const VideoFormat& format) {
    return static_cast<double>(format.rate.numerator) /
           static_cast<double>(format.rate.denominator);
}

/// Nothing without --csv. Opened before the run: an hour of work is not lost to a name.
std::optional<ResultFile> times_file(const Lab& lab, const Options& options) {
    if (options.csv.empty()) return {};
    const Variant& variant = *options.variants.front();
    const auto is_timed = [&](const Variant* one) { return lab.backend_of(*one).is_timed(); };
    if (!is_timed(&variant)) {
        const bool others = std::any_of(lab.variants.begin(), lab.variants.end(), is_timed);
        throw UsageError("Option --csv: variant " + variant.name +
                         " runs on the CPU in place of a GPU, and that has no times; leave --csv "
                         "out" +
                         (others ? ", or name a CPU variant." : "."));
    }
    return std::optional<ResultFile>(std::in_place, options.csv, names(clip_columns()));
}

std::string frames(std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " frame" : " frames");
}

}  // namespace

Pipeline::Pipeline(const Lab& lab, const Options& options)
    : lab_(lab),
      options_(options),
      source_(open_clip(options.video, options.length)),
      out_format_(format_of_output(lab, options, source_->format())),
      worker_(lab, options) {
    if (!source_->note().empty()) std::cerr << options.video << ": " << source_->note() << '\n';
    if (options.out.empty()) return;
    if (is_same_file(options.video, options.out))
        throw UsageError("Option --out: '" + options.out + "' is the input clip; name another.");
    sink_ = open_sink(options.out, out_format_);
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

void Pipeline::give(std::optional<Image> output) {
    if (!output) return;
    const bool is_frame = output->width() == out_format_.width &&
                          output->height() == out_format_.height && output->channels() == 3;
    if (sink_ && !is_frame)
        throw Error("Variant " + options_.variants.front()->name +
                    " gives no frames of a clip; use --check without --out, or another variant.");
    ++computing_.frames;
    out_.push(std::move(*output));  // closed: the writer has failed, and compute() ends
}

void Pipeline::compute() {
    while (auto frame = in_.pop())
        give(computing_.time([&] { return worker_.next(std::move(*frame)); }));
    give(computing_.time([&] { return worker_.finish(); }));
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
        if (!error_) error_ = std::current_exception();
    }
    in_.close();
}

void Pipeline::run() {
    const auto start = std::chrono::steady_clock::now();
    std::jthread reader, writer;
    guarded([&] {
        reader = std::jthread([this] { guarded([this] { read(); }); });
        writer = std::jthread([this] {
            guarded([this] { write(); });
            out_.close();
        });
        compute();
    });
    out_.close();
    for (std::jthread* thread : {&reader, &writer})
        if (thread->joinable()) thread->join();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (error_) std::rethrow_exception(error_);
    if (computing_.frames == 0 && !interrupted())
        throw Error("Clip '" + options_.video + "' has " + frames(reading_.frames) + ", and lab " +
                    lab_.name + " needs " + std::to_string(lab_.operation.frames) +
                    "; nothing was written.");
}

std::string Pipeline::steps_on_the_gpu() const {
    const auto times = worker_.times();
    if (!times) return "";
    const auto n = static_cast<double>(std::max<std::int64_t>(1, computing_.frames));
    return " (copy in " + to_digits(times->copy_in / n, 3) + ", kernel " +
           to_digits(times->kernel / n, 3) + ", copy out " + to_digits(times->copy_out / n, 3) +
           ')';
}

std::vector<const Stage*> Pipeline::stages() const {
    if (sink_) return {&reading_, &computing_, &writing_};
    return {&reading_, &computing_};
}

const Stage& Pipeline::slowest() const {
    const auto all = stages();
    return **std::max_element(all.begin(), all.end(),
                              [](auto* a, auto* b) { return a->seconds < b->seconds; });
}

std::string Pipeline::summary() const {
    const VideoFormat& format = source_->format();
    std::string text = frames(reading_.frames) + " of " + std::to_string(format.width) + 'x' +
                       std::to_string(format.height);
    if (!lab_.backend_of(*options_.variants.front()).is_timed())
        return text + "; CUDA on the CPU has no times.";
    text += " in " + to_digits(seconds_, 3) + " s, " +
            to_digits(static_cast<double>(reading_.frames) / seconds_, 3) +
            " per second (the clip has " + to_digits(rate_of(format), 3) + "). Per frame: ";
    for (const Stage* stage : stages())
        text += std::string(stage->what) + ' ' + to_digits(stage->ms(), 3) + " ms" +
                (stage == &computing_ ? steps_on_the_gpu() : "") + ", ";
    return text + slowest().what + " sets the speed.";
}

Row Pipeline::row() const {
    const VideoFormat& format = source_->format();
    Row row{{"video", options_.video},
            {"out", options_.out},
            {"width", std::to_string(format.width)},
            {"height", std::to_string(format.height)},
            {"rate", to_decimal(rate_of(format))},
            {"frames", std::to_string(reading_.frames)},
            {"seconds", to_decimal(seconds_)},
            {"slowest", slowest().what}};
    for (const Stage* stage : stages())
        row[std::string(stage->what) + "_ms"] = to_decimal(stage->ms());
    return row;
}

int run_clip_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    auto times = times_file(lab, options);
    Pipeline pipeline(lab, options);
    pipeline.run();
    std::cout << (options.out.empty() ? options.video : options.out) << ": by "
              << options.variants.front()->name << options.how_it_ran() << ". "
              << pipeline.summary() << '\n';
    if (interrupted()) return interrupted_exit_code();
    if (!times) return 0;
    Row row = origin_row(lab, *options.variants.front());
    row.merge(pipeline.row());
    times->append(row);
    return 0;
}

}  // namespace convolab
