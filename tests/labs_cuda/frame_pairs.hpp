// SPDX-License-Identifier: MIT
// Jobs of two frames, for labs 08, 09 and 10.
#pragma once

#include <vector>

#include "common/cuda/backend.hpp"
#include "common/cuda/frame_pair.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {

inline Job pair_of(const Image& previous, const Image& current, int threads,
                   const Filter& filter = make_filter("identity")) {
    Job job{{&previous, &current}, filter, {}, {}};
    job.settings.block_threads = threads;
    return job;
}

/// The kernel's output for the pair; `setup` is as in a lab's file.
template <class Setup>
Image made_by(const Job& job, const Setup& setup) {
    return result_of(*frame_pair_variant({.name = "defective", .idea = ""}, setup).make(job));
}

/// Runs each variant on four frames, pair after pair; reference(variant, job) is the right output.
/// The frames are in pinned memory, as bench gives them to variants that copy asynchronously.
template <class Variants, class Reference>
void check_pair_after_pair(const Variants& variants, const Reference& reference,
                           const Filter& filter = make_filter("identity")) {
    std::vector<Image> frames;
    for (int i = 0; i < 4; ++i) frames.push_back(crop(noise(33, 7 + i), 0, 0, 33, 7));
    const auto pinned = [](const Image& image) { return gpu_backend().pinned(image); };
    for (const Variant* variant : variants) {
        Image previous = pinned(frames[0]), current = pinned(frames[1]);
        const Job job = pair_of(previous, current, 16, filter);
        const auto convolver = variant->make(job);
        INFO(variant->name);
        CHECK(compare(result_of(*convolver), reference(*variant, job)).identical());
        for (std::size_t i = 2; i < frames.size(); ++i) {
            std::swap(previous, current);
            current = pinned(frames[i]);
            convolver->next_frame();
            convolver->run();
            convolver->download();
            CHECK(compare(convolver->result(), reference(*variant, job)).identical());
        }
    }
}

}  // namespace convolab::defects
