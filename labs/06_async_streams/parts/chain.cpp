// SPDX-License-Identifier: MIT
#include "labs/06_async_streams/parts/chain.hpp"

#include <utility>

#include "common/base/error.hpp"

namespace convolab::async_streams {
namespace {

Operation make_operation() {
    Operation operation;
    operation.reference = [](const Job& job) {
        require_chain(job);
        Job one = job;
        Image image = reference_convolution(one);
        for (int i = 1; i < job.settings.filters; ++i) {
            one.frames = {&image};
            Image next = reference_convolution(one);
            image = std::move(next);
        }
        return image;
    };
    operation.operations = [once = operation.operations](const Job& job) {
        return job.settings.filters * once(job);
    };
    return operation;
}

}  // namespace

const Operation& chain_of_filters() {
    static const Operation operation = make_operation();
    return operation;
}

const Operation& filters_on_device() {
    static const Operation operation = [] {
        Operation made = make_operation();
        made.bytes = [once = made.bytes](const Job& job) {
            return job.settings.filters * once(job);
        };
        return made;
    }();
    return operation;
}

void require_chain(const Job& job) {
    if (job.border.rule == BorderRule::valid)
        throw Unsupported(
            "With border `valid` each filter's output is smaller than its input; a "
            "chain needs them of one size.");
    if (job.image().type() != PixelType::uint8)
        throw Unsupported("The chain takes uint8 images, not " + describe(job.image()) + ".");
}

}  // namespace convolab::async_streams
