// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/random_bits.hpp"
#include "common/driver/bench.hpp"
#include "common/driver/commands.hpp"
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
            clip.push_back(frame.copy());
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

std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, int round) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::uint64_t counter = random_bits(seed + kRandomStep) + static_cast<std::uint64_t>(round);
    counter = random_bits(counter);  // rounds that follow each other have nothing in common
    for (std::size_t left = n; left > 1; --left)
        std::swap(order[left - 1], order[random_bits(counter += kRandomStep) % left]);
    return order;
}

int runs_of_round(int iterations, int rounds, int round) {
    const auto first = [&](std::int64_t r) { return static_cast<int>(r * iterations / rounds); };
    return first(round + 1) - first(round);
}

int default_rounds(int iterations) { return std::clamp(iterations / 5, 1, 10); }

std::vector<TurnCounts> take_turns(std::size_t configurations, int rounds, std::uint64_t seed,
                                   const std::function<bool(std::size_t, int)>& turn,
                                   const std::function<bool()>& stop) {
    const int may_repeat = std::max(1, rounds / 5);
    std::vector<TurnCounts> counts(configurations);
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::size_t> queue = shuffled(configurations, seed, round);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (stop()) return counts;
            const std::size_t configuration = queue[i];
            if (!turn(configuration, round)) continue;
            TurnCounts& count = counts[configuration];
            if (count.repeated < may_repeat) {
                ++count.repeated;
                queue.push_back(configuration);
            } else {
                ++count.disturbed;
            }
        }
    }
    return counts;
}

}  // namespace convolab
