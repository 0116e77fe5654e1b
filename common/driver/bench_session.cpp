// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/bench_session.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/memory.hpp"
#include "common/measurement/machine.hpp"
#include "common/threads/topology.hpp"

namespace convolab {
namespace {

std::vector<Image> clip_of(BenchSession& session, const Task& task, const Case& truth) {
    if (truth.frames.size() != 2) return {};
    std::vector<Image> clip;
    for (const Image& frame : truth.frames)
        if (task.variant->pinned_frames)
            clip.push_back(session.lab.backend_of(*task.variant).pinned(frame));
        else
            clip.push_back(frame);
    return clip;
}

/// The CPUs in the order in which threads are pinned, those next to the GPU first.
std::vector<int> order_of_cpus(const Lab& lab) {
    std::vector<int> order = pin_order(allowed_cpus(), cpus_of_machine());
    const std::vector<int> near = lab.backend->near_cpus();
    std::stable_partition(order.begin(), order.end(), [&](int cpu) {
        return std::find(near.begin(), near.end(), cpu) != near.end();
    });
    return order;
}

}  // namespace

BenchSession::BenchSession(const Lab& lab, const Options& options, Tasks& tasks)
    : lab(lab), options(options), tasks(tasks), watch(order_of_cpus(lab)) {
    if (options.pinning != "off") pin_threads(order_of_cpus(lab));
}

PreparedVariant::PreparedVariant(BenchSession& session, const Task& task)
    : truth(session.tasks.truth(task)),
      clip(clip_of(session, task, truth)),
      job(session.tasks.job(task, clip.empty() ? truth.frames : clip)) {
    require_memory(session.lab, *task.variant, job);
    convolver = make_convolver(*task.variant, job);
}

void PreparedVariant::next_frame() {
    if (clip.empty()) return;
    std::swap(clip[0], clip[1]);
    backward = !backward;
}

void PreparedVariant::require_right_output() {
    const Comparison comparison =
        compare(convolver->result(), backward ? truth.backward : truth.expected);
    if (!comparison.identical()) throw Error(describe(comparison));
}

bool fits_beside_others(BenchSession& session, const Task& task) {
    try {
        const Case& truth = session.tasks.truth(task);
        const Job job = session.tasks.job(task, truth.frames);
        const MemoryNeed need = memory_need(*task.variant, job);
        const auto device = session.lab.backend_of(*task.variant).device_memory_free();
        return need.host <= memory_free() / 2 && (!device || need.device <= *device / 2);
    } catch (const Error&) {  // its row will say why
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace convolab
