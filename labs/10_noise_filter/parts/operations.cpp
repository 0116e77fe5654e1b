// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/parts/operations.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "common/base/error.hpp"
#include "common/noise_map/expected_change.hpp"
#include "common/variant/frame_pair.hpp"

namespace convolab::noise_filter {
namespace {

/// Counts the values in a window that moves along a row (T. Huang, 1979), and sorts nothing.
class Histogram {
  public:
    Histogram(const Image& image, int c, std::int64_t y, std::int64_t radius)
        : image_(image), c_(c) {
        for (std::int64_t j = y - radius; j <= y + radius; ++j)
            rows_.push_back(source_index(BorderRule::replicate, j, image.height()));
    }
    /// Adds `times` (1 or -1) the window's column x.
    void add(std::int64_t x, int times) {
        x = source_index(BorderRule::replicate, x, image_.width());
        for (const std::int64_t y : rows_) {
            const int value = image_.data<std::uint8_t>()[image_.index(x, y, c_)];
            count_[value] += times;
            if (value < median_) below_ += times;
        }
    }
    /// The smallest value for which more than half of the window is not larger.
    int median() {
        const int half = static_cast<int>(rows_.size() * rows_.size() / 2);
        while (below_ > half) below_ -= count_[--median_];
        while (below_ + count_[median_] <= half) below_ += count_[median_++];
        return median_;
    }

  private:
    const Image& image_;
    int c_;
    std::vector<std::int64_t> rows_;
    int count_[256] = {};
    int median_ = 0, below_ = 0;  ///< the number of values below median_
};

Image reference_median(const Filter& filter, const Image& frame) {
    Image out(frame.width(), frame.height(), frame.channels());
    const std::int64_t p = filter.radius();
    const auto channel = [&](int c) {
        for (std::int64_t y = 0; y < frame.height(); ++y) {
            Histogram window(frame, c, y, p);
            for (std::int64_t x = -p; x < p; ++x) window.add(x, 1);
            for (std::int64_t x = 0; x < frame.width(); ++x) {
                window.add(x + p, 1);
                out.data<std::uint8_t>()[out.index(x, y, c)] =
                    static_cast<std::uint8_t>(window.median());
                window.add(x - p, -1);
            }
        }
    };
    std::vector<std::jthread> threads;
    for (int c = 0; c < frame.channels(); ++c) threads.emplace_back(channel, c);
    for (auto& thread : threads) thread.join();
    return out;
}

/// The previous frame or the current one, filtered.
Image filtered_frame(const Job& job, int number) {
    const FramePair frames(job);
    if (job.image().channels() != 3)
        throw Unsupported("This lab filters RGB frames, not " + describe(job.image()) + ".");
    return reference_filter(job, number == 0 ? frames.previous() : frames.current());
}

Image reference_marks(const Job& job) {
    const Image previous = filtered_frame(job, 0), current = filtered_frame(job, 1);
    Image out(current.width(), current.height(), 3);
    for (std::int64_t i = 0; i < out.samples(); i += 3)
        if (noise::expects_pixel_change(previous.data<std::uint8_t>() + i,
                                        current.data<std::uint8_t>() + i))
            out.data<std::uint8_t>()[i] = 255;
    return out;
}

Image reference_counts(const Job& job) {
    const Image frames[] = {filtered_frame(job, 0), filtered_frame(job, 1)};
    const auto* previous = frames[0].data<std::uint8_t>();
    const auto* current = frames[1].data<std::uint8_t>();
    std::int32_t pixels = 0, samples = 0;
    for (std::int64_t i = 0; i < frames[1].samples(); ++i) {
        if (i % 3 == 0) pixels += noise::expects_pixel_change(previous + i, current + i);
        samples += noise::expects_sample_change(previous[i], current[i]);
    }
    Image out(2, 1, 1, PixelType::int32);
    out.data<std::int32_t>()[0] = pixels;
    out.data<std::int32_t>()[1] = samples;
    return out;
}

/// bytes_per_pixel: what a variant has to load and store at least; frames: how many are filtered.
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
    return reference_convolution({{&frame}, job.filter, Border{}});
}

const Operation& marks() {
    static const Operation it = operation(reference_marks, 9, 2);
    return it;
}

const Operation& filtered() {
    static const Operation it =
        operation([](const Job& job) { return filtered_frame(job, 1); }, 6, 1);
    return it;
}

const Operation& counts() {
    static const Operation it = operation(reference_counts, 6, 2);
    return it;
}

}  // namespace convolab::noise_filter
