// SPDX-License-Identifier: MIT
#include "common/exercise/judge.hpp"

#include <atomic>
#include <thread>

#include "common/exercise/shares.hpp"

using namespace convolab::exercise;

void edges(const std::uint8_t* in, unsigned* bins, int width, int height, int threads);

static void answer(const Input& in, std::vector<unsigned>& bins, Stopwatch&) {
    count_shares(in, [&](const std::uint8_t* picture) {
        edges(picture, bins.data(), in.width, in.height, threads_for(in));
    });
}

/// Calls count(v) for each pixel of the rows from first to last - 1.
template <class Count>
static void for_rows(const Input& in, int first, int last, Count count) {
    for (int y = first; y < last; ++y) {
        const std::uint8_t* row = &in.samples[y * in.width];
        for (int x = 1; x < in.width - 1; ++x) count(std::abs(row[x + 1] - row[x - 1]));
    }
}

static void expected(const Input& in, std::vector<unsigned>& bins) {
    for_rows(in, 0, in.height, [&](int v) { ++bins[v]; });
}

/// Does an atomic addition for each pixel.
static void baseline(const Input& in, std::vector<unsigned>& bins, Stopwatch&) {
    std::fill(bins.begin(), bins.end(), 0);
    const int threads = threads_for(in);
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t)
        team.emplace_back([&, t] {
            for_rows(in, in.height * t / threads, in.height * (t + 1) / threads,
                     [&](int v) { std::atomic_ref(bins[v]).fetch_add(1); });
        });
}

static Size timed(std::mt19937& draw) {
    return {drawn_from(900, 99, draw), drawn_from(700, 99, draw)};
}

int main(int argc, char** argv) {
    return judge<unsigned>(argc, argv,
                           {.answer = answer,
                            .expected = expected,
                            .out_values = [](const Input&) { return 256; },
                            .with = with_threads,
                            .baseline = baseline,
                            .times_as_fast = 1.5,
                            .cpu_time = true,
                            .timed = timed,
                            .counts = {{"edges", "threads with a share", kAny, 1, kThreads},
                                       {"edges", "threads started", 1, 0, kThreads}},
                            .counted = count_threads,
                            .counted_sizes = {{9000, 160}}});
}
