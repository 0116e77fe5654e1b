// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/exercise/judge.hpp"

#include <atomic>
#include <thread>

#include "common/exercise/threads.hpp"

using namespace convolab::exercise;

void edges(const std::uint8_t* in, unsigned* bins, int width, int height, int threads);

static int threads_for(const Input& in) { return 1 + in.width % 7; }

static void answer(const Input& in, std::vector<unsigned>& bins, Stopwatch&) {
    threads_started = 0;
    edges(in.samples.data(), bins.data(), in.width, in.height, threads_for(in));
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

/// An atomic addition for each pixel.
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

int main(int argc, char** argv) {
    // With 3, 5, 1, 6 and 7 threads; timed with 3.
    return judge<unsigned>(argc, argv,
                           {.answer = answer,
                            .expected = expected,
                            .sizes = {{37, 23}, {130, 67}, {70, 31}, {5, 3}, {517, 41}},
                            .out_values = [](const Input&) { return 256; },
                            .baseline = baseline,
                            .times_as_fast = 2,
                            .cpu_time = true,
                            .timed = {989, 700},
                            .counts = {{"edges", "threads started", 5, 4}},
                            .counted = [](const CountGoal&) { return double(threads_started); }});
}
