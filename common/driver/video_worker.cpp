// SPDX-License-Identifier: MIT
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/memory.hpp"
#include "common/driver/pipeline.hpp"

namespace convolab {

Job VideoWorker::job() {
    Job job{{}, options_.filters.front(), options_.border, options_.first_settings()};
    if (lab_.operation.frames == 2) job.frames.push_back(&previous_);
    job.frames.push_back(&current_);
    return job;
}

void VideoWorker::bind(const Job& job) {
    require_memory(lab_, variant_, job);
    convolver_ = make_convolver(variant_, job);
    if (lab_.operation.frames == 2) stream_ = convolver_->stream();
    if (stream_)
        stream_->next(previous_);
    else
        convolver_->upload();
}

std::optional<Image> VideoWorker::compute(const Job& job) {
    if (!convolver_ || lab_.operation.frames == 1)  // a filter is bound to one picture
        bind(job);
    else if (!stream_)
        convolver_->next_frame();
    if (stream_) return stream_->next(current_);
    if (options_.check) convolver_->poison();
    convolver_->run();
    convolver_->download();
    return convolver_->result().copy();
}

std::optional<Image> VideoWorker::checked(std::optional<Image> result) {
    if (!result) return {};
    ++outputs_;
    if (options_.check) {
        const Comparison comparison = compare(*result, expected_.front());
        expected_.pop_front();
        if (!comparison.identical())
            throw Error("Variant " + variant_.name + " differs from the reference in output " +
                        std::to_string(outputs_) + ": " + describe(comparison) + ".");
    }
    const bool is_frame =
        result->type() == PixelType::uint8 && result->layout() == Layout::interleaved;
    return is_frame ? std::move(result) : convert(*result, PixelType::uint8, Layout::interleaved);
}

std::optional<Image> VideoWorker::next(Image frame) {
    std::swap(previous_, current_);
    const PixelType type = options_.type.value_or(variant_.types.front());
    current_ = type == frame.type() ? std::move(frame) : convert(frame, type, Layout::interleaved);
    if (++frames_ < lab_.operation.frames) return {};
    const Job job = this->job();
    if (options_.check) expected_.emplace_back(lab_.operation_of(variant_), job);
    return checked(compute(job));
}

std::optional<Image> VideoWorker::finish() {
    return checked(stream_ ? stream_->finish() : std::nullopt);
}

std::optional<FrameStream::Times> VideoWorker::times() const {
    if (!stream_ || !lab_.backend_of(variant_).is_timed()) return {};
    return stream_->times();
}

}  // namespace convolab
