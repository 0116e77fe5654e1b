// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/passes.hpp"

#include <algorithm>
#include <utility>

#include "common/base/error.hpp"
#include "common/threads/cpus.hpp"

namespace convolab::mpi {
namespace {

/// Samples of the output of pass 1, 2, ...
std::int64_t samples_after(const Job& job, int passes) {
    const std::int64_t lost =
        job.border.rule == BorderRule::valid ? std::int64_t{2} * passes * job.filter.radius() : 0;
    const Image& image = job.image();
    return (image.width() - lost) * (image.height() - lost) * image.channels();
}

/// With more threads than the reference takes by itself: verify compares one job of this lab at a
/// time.
Image one_pass(const Job& job) {
    constexpr std::int64_t kWorkPerThread = 1 << 16;  // multiply-adds
    const std::int64_t work = job.image().samples() * job.filter.ksize() * job.filter.ksize();
    const auto threads = std::clamp<std::int64_t>(work / kWorkPerThread, 1, cpu_count());
    return reference_convolution(job, static_cast<int>(threads));
}

Operation make_operation() {
    Operation operation;
    operation.reference = [](const Job& job) {
        require_output(job);
        Job one = job;
        Image image = one_pass(one);
        for (int i = 1; i < job.settings.passes; ++i) {
            one.frames = {&image};
            Image next = one_pass(one);
            image = std::move(next);
        }
        return image;
    };
    operation.bytes = [](const Job& job) {
        return job.image().samples() + samples_after(job, job.settings.passes);
    };
    operation.operations = [](const Job& job) {
        std::int64_t samples = 0;
        for (int pass = 1; pass <= job.settings.passes; ++pass) samples += samples_after(job, pass);
        return 2LL * job.filter.ksize() * job.filter.ksize() * samples;
    };
    return operation;
}

}  // namespace

const Operation& passes_of_a_filter() {
    static const Operation operation = make_operation();
    return operation;
}

void require_output(const Job& job) {
    if (job.border.rule != BorderRule::valid) return;
    const std::int64_t lost = std::int64_t{2} * job.settings.passes * job.filter.radius();
    if (job.image().width() > lost && job.image().height() > lost) return;
    throw Unsupported("Border valid leaves no output: " + std::to_string(job.settings.passes) +
                      " passes make the image smaller by " + std::to_string(lost) +
                      " pixels on each axis.");
}

}  // namespace convolab::mpi
