// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/parts/operations.hpp"

#include <algorithm>
#include <vector>

#include "common/base/error.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/10_noise_filter/parts/change.hpp"

namespace convolab::noise_filter {
namespace {

Image reference_median(const Filter& filter, const Image& frame) {
    Image out(frame.width(), frame.height(), frame.channels());
    const std::int64_t p = filter.radius();
    std::vector<double> window;
    for (std::int64_t y = 0; y < frame.height(); ++y)
        for (std::int64_t x = 0; x < frame.width(); ++x)
            for (int c = 0; c < frame.channels(); ++c) {
                window.clear();
                for (std::int64_t j = y - p; j <= y + p; ++j)
                    for (std::int64_t i = x - p; i <= x + p; ++i)
                        window.push_back(
                            frame.value(source_index(BorderRule::replicate, i, frame.width()),
                                        source_index(BorderRule::replicate, j, frame.height()), c));
                const auto middle = window.begin() + static_cast<std::ptrdiff_t>(window.size() / 2);
                std::nth_element(window.begin(), middle, window.end());
                out.set_value(x, y, c, *middle);
            }
    return out;
}

struct FilteredPair {
    explicit FilteredPair(const Job& job) {
        const FramePair frames(job);
        if (job.image().channels() != 3)
            throw Unsupported("This lab filters RGB frames, not " + describe(job.image()) + ".");
        previous = reference_filter(job, frames.previous());
        current = reference_filter(job, frames.current());
    }
    Image previous, current;
};

Image reference_marks(const Job& job) {
    const FilteredPair frames(job);
    Image out(job.image().width(), job.image().height(), 3);
    mark(frames.previous.data<std::uint8_t>(), frames.current.data<std::uint8_t>(),
         out.data<std::uint8_t>(), out.pixels());
    return out;
}

Image reference_counts(const Job& job) {
    const FilteredPair frames(job);
    const auto* previous = frames.previous.data<std::uint8_t>();
    const auto* current = frames.current.data<std::uint8_t>();
    std::int32_t pixels = 0, samples = 0;
    for (std::int64_t i = 0; i < frames.current.samples(); ++i) {
        if (i % 3 == 0) pixels += pixel_changed(previous + i, current + i);
        samples += sample_changed(previous[i], current[i]);
    }
    Image out(2, 1, 1, PixelType::int32);
    out.data<std::int32_t>()[0] = pixels;
    out.data<std::int32_t>()[1] = samples;
    return out;
}

/// bytes_per_pixel: of the traffic that every variant must have; frames: how many are filtered.
Operation operation(Image (*reference)(const Job&), std::int64_t bytes_per_pixel, int frames) {
    Operation operation;
    operation.frames = 2;
    operation.has_border = false;
    operation.filters = {"box", "gaussian", "median"};
    operation.reference = reference;
    operation.allowed_difference = [](const Job&) { return 0.0; };
    operation.bytes = [bytes_per_pixel](const Job& job) {
        return bytes_per_pixel * job.image().pixels();
    };
    operation.operations = [frames](const Job& job) {
        return 2LL * job.filter.ksize() * job.filter.ksize() * 3 * job.image().pixels() * frames;
    };
    return operation;
}

}  // namespace

Image reference_filter(const Job& job, const Image& frame) {
    if (job.filter.name() == "median") return reference_median(job.filter, frame);
    return reference_convolution({{&frame}, job.filter, Border{}, job.settings});
}

const Operation& marks() {
    static const Operation it = operation(reference_marks, 9, 2);
    return it;
}

const Operation& filtered() {
    static const Operation it = operation(
        [](const Job& job) {
            const FilteredPair frames(job);
            return frames.current;
        },
        6, 1);
    return it;
}

const Operation& counts() {
    static const Operation it = operation(reference_counts, 6, 2);
    return it;
}

}  // namespace convolab::noise_filter
