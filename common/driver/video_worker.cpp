// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/video_worker.hpp"

#include <utility>

#include "common/base/error.hpp"
#include "common/driver/check.hpp"
#include "common/driver/memory.hpp"

namespace convolab {

Job VideoWorker::job() {
    Job job{{},
            options_.make_filter(options_.ksizes_or_default().front()),
            options_.border,
            options_.first_settings()};
    if (lab_.operation.frames == 2) job.frames.push_back(&previous_);
    job.frames.push_back(&current_);
    return job;
}

std::optional<Image> VideoWorker::next(Image frame) {
    const Variant& variant = *options_.variants.front();
    std::swap(previous_, current_);
    current_ = convert(frame, options_.type.value_or(variant.types.front()), Layout::interleaved);
    if (++frames_ < lab_.operation.frames) return {};
    const Job job = this->job();
    if (!convolver_ || lab_.operation.frames == 1) {  // a filter is bound to one picture
        require_memory(lab_, variant, job);
        convolver_ = make_convolver(variant, job);
        convolver_->upload();
    } else {
        convolver_->next_frame();
    }
    if (options_.check) convolver_->poison();
    convolver_->run();
    convolver_->download();
    Image result = convolver_->result();
    if (options_.check) {
        const Comparison comparison = compare(result, Expected(lab_.operation_of(variant), job));
        if (!comparison.identical())
            throw Error("Variant " + variant.name + " differs from the reference at frame " +
                        std::to_string(frames_) + ": " + describe(comparison) + ".");
    }
    return convert(result, PixelType::uint8, Layout::interleaved);
}

}  // namespace convolab
