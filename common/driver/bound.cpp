// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/bound.hpp"

#include <new>
#include <utility>

#include "common/base/error.hpp"
#include "common/driver/memory.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {

Bound::Bound(BenchSession& session, const Task& task)
    : truth(session.tasks.truth(task)),
      clip(truth.frames.size() == 2 ? truth.frames : std::vector<Image>{}),
      job(session.tasks.job(task, clip.empty() ? truth.frames : clip)) {
    require_memory(session.lab, *task.variant, job);
    convolver = make_convolver(*task.variant, job);
}

void Bound::turn() {
    if (clip.empty()) return;
    std::swap(clip[0], clip[1]);
    backward = !backward;
}

void Bound::require_right_output() {
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
