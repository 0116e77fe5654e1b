// SPDX-License-Identifier: MIT
// Converts a caller's views and options to what the labs take, and throws an Error that names what
// is wrong with them.
#pragma once

#include <cmath>
#include <functional>
#include <new>
#include <string>

#include "common/base/error.hpp"
#include "common/convolution/padding.hpp"
#include "common/variant/job.hpp"
#include "library/convolab.hpp"

namespace convolab::lib {

/// What `work` returns; every exception as the one of the library.
template <class Work>
auto guarded(const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error("There is not enough memory for this size; use a smaller one.");
    } catch (const convolab::Error& why) {
        throw Error(why.what());
    }
}

/// A job for pixels that are not there yet.
struct PlannedJob {
    explicit PlannedJob(const Task& task)
        : shape(Image::shape(task.width, task.height, task.channels)), job(job_for(task, shape)) {
        check_possible(job);
    }
    PlannedJob(const PlannedJob&) = delete;
    PlannedJob& operator=(const PlannedJob&) = delete;

    const Image shape;
    const Job job;

  private:
    static Job job_for(const Task& task, const Image& shape) {
        const auto side = static_cast<int>(std::ceil(std::sqrt(task.taps.size())));
        return {{&shape},
                Filter("yours", side, task.taps, task.divisor),
                parse_border(task.border),
                {}};
    }
};

template <class Byte>
void check_view(const std::string& name, const View<Byte>& view, std::int64_t width,
                std::int64_t height, int channels) {
    const auto text = [](std::int64_t w, std::int64_t h, int c) {
        return std::to_string(w) + " x " + std::to_string(h) + " x " + std::to_string(c);
    };
    if (view.width != width || view.height != height || view.channels != channels)
        throw Error("The " + name + " is " + text(view.width, view.height, view.channels) +
                    " and this plan's is " + text(width, height, channels) +
                    ": make a plan for each size.");
    if (view.data == nullptr) throw Error("The " + name + " has no memory: its address is null.");
    if (view.pitch < width * channels)
        throw Error("A row of the " + name + " has " + std::to_string(width * channels) +
                    " bytes and its pitch is " + std::to_string(view.pitch) +
                    ": give the bytes from one row to the next.");
}

inline void check_views(const Job& job, const Input& in, const Output& out) {
    const int channels = job.image().channels();
    check_view("input", in, job.image().width(), job.image().height(), channels);
    check_view("output", out, job.out_width(), job.out_height(), channels);
    const std::int64_t in_row = in.width * channels, out_row = out.width * channels;
    const std::less<> before;
    if (!before(in.data, out.data + (out.height - 1) * out.pitch + out_row) ||
        !before(out.data, in.data + (in.height - 1) * in.pitch + in_row))
        return;
    const std::int64_t pitch = in.pitch;  // two rectangles side by side in one picture are apart
    const std::int64_t apart = ((out.data - in.data) % pitch + pitch) % pitch;
    if (out.pitch != pitch || apart < in_row || apart + out_row > pitch)
        throw Error("Input and output overlap: give the output separate memory.");
}

}  // namespace convolab::lib
