// SPDX-License-Identifier: MIT
// cpu_threads -- cpu_simd, a run of pixels per thread
// Source: new.
// Idea: the pixels are cut into as many equal runs as there are threads. The threads are created
//     once, before the clock starts.
// Since cpu_simd: it uses all cores.
// Limit: memory bandwidth.
// Alone: build/labs/09_noise_map/lab bench --variant cpu_simd,cpu_threads --threads 1,2
//     --size 1080p
#include "common/measurement/cpu_backend.hpp"
#include "common/noise_map/mark_rows.hpp"
#include "common/threads/thread_team.hpp"
#include "common/variant/cpu_variant.hpp"
#include "common/variant/frame_pair.hpp"
#include "labs/09_noise_map/variants.hpp"

namespace convolab::noise {
namespace {

struct Team : FramePair {
    explicit Team(const Job& job) : FramePair(job), count(job.settings.threads), threads(count) {}
    MarkRows mark_rows = fastest_mark_rows();
    int count;
    ThreadTeam threads;
};

void noise_map(Team& team, Image& result) {
    const auto* previous = team.previous().data<std::uint8_t>();
    const auto* current = team.current().data<std::uint8_t>();
    auto* out = result.data<std::uint8_t>();
    team.threads.run([&](int t) {
        const std::int64_t first = team.pixels() * t / team.count;
        const std::int64_t last = team.pixels() * (t + 1) / team.count;
        team.mark_rows(previous + 3 * first, current + 3 * first, out + 3 * first, last - first);
    });
}

}  // namespace

const Variant cpu_threads = cpu_variant({.name = "cpu_threads",
                                         .idea = "cpu_simd, a run of pixels for each thread",
                                         .uses = kUsesThreads,
                                         .channels = {3},
                                         .backend = &cpu_backend()},
                                        noise_map);

}  // namespace convolab::noise
