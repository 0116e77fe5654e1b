// SPDX-License-Identifier: MIT
#include "common/exercise/judge.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "common/exercise/threads.hpp"

using namespace convolab::exercise;

void smooth(std::uint8_t* out, int width, int height, int threads);

static const Input* picture;

static std::atomic<int> readers;
static thread_local const Input* read_by_me = nullptr;

/// Each reader waits until all threads read, so that the count does not depend on how busy the
/// machine is. Threads that cannot read at the same time do not count.
static void wait_for_readers() {
    using Clock = std::chrono::steady_clock;
    static const auto end = Clock::now() + std::chrono::seconds(2);
    if (std::exchange(read_by_me, picture) != picture && Clock::now() < end) ++readers;
    while (readers < threads_for(*picture) && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

static std::atomic<int> slow_rows;
static thread_local const Input* slow_for_me = nullptr;

/// As many slow rows as there are threads, and all of them are read by one thread, the one that has
/// a certain row among the first ones; so they fall into one share, however rows are dealt.
void read_row(int y, std::uint8_t* row) {
    const int width = picture->width, threads = threads_for(*picture);
    const auto* in = &picture->samples[y * width];
    std::copy(in, in + width / 2, row);
    if (y == picture->samples[0] % threads) slow_for_me = picture;
    if (is_counted)
        wait_for_readers();
    else if (slow_for_me == picture && slow_rows++ < threads)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::copy(in + width / 2, in + width, row + width / 2);
}

static double counted(const CountGoal& goal) {
    return goal.figure == "threads started" ? threads_started : readers;
}

static void answer(const Input& in, std::vector<std::uint8_t>& out, Stopwatch&) {
    threads_started = readers = slow_rows = 0;
    picture = &in;
    smooth(out.data(), in.width, in.height, threads_for(in));
}

static void expected(const Input& in, std::vector<std::uint8_t>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int i = std::max(0, x - 1); i <= std::min(in.width - 1, x + 1); ++i)
                sum += in.samples[y * in.width + i];
            out[y * in.width + x] = static_cast<std::uint8_t>(sum / 3);
        }
}

/// Deals the rows in turn, as the code that students get.
static void baseline(const Input& in, std::vector<std::uint8_t>& out, Stopwatch&) {
    picture = &in;
    slow_rows = 0;
    const int threads = threads_for(in);
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t)
        team.emplace_back([&, t] {
            std::vector<std::uint8_t> row(in.width + 2);
            for (int y = t; y < in.height; y += threads) {
                read_row(y, &row[1]);
                for (int x = 0; x < in.width; ++x)
                    out[y * in.width + x] = (row[x] + row[x + 1] + row[x + 2]) / 3;
            }
        });
}

/// The picture has as many slow rows as there are threads.
static Size timed(std::mt19937& draw) {
    const int threads = drawn_from(9, 4, draw), width = drawn_from(100, 60, draw);
    const int height = threads * threads * threads;
    return {width + (16 + threads - 9 - (width + height) % 8) % 8, height};
}

int main(int argc, char** argv) {
    return judge<std::uint8_t>(argc, argv,
                               {.answer = answer,
                                .expected = expected,
                                .with = with_threads,
                                .baseline = baseline,
                                .times_as_fast = 4,
                                .timed = timed,
                                .timed_runs = 3,
                                .counts = {{"smooth", "threads with a row", kAny, 1, kThreads},
                                           {"smooth", "threads started", 1, 0, kThreads}},
                                .counted = counted,
                                .counted_sizes = {{130, 167}}});
}
