// SPDX-License-Identifier: MIT
// Compares the 256 counts. Fails if not all threads read a row at the same time, above `threads`
// threads that read rows or below 1.5 times the speed of an atomic addition per pixel.
#include <atomic>
#include <thread>

#include "labs/exercise/threads.hpp"

using namespace convolab::exercise;

void edges(unsigned* bins, int width, int height, int threads);

constexpr int kRepeated = 9;

static void answer(const Input& in, std::vector<unsigned>& bins) {
    picture = &in;
    edges(bins.data(), in.width, in.height, threads_for(in));
    // An addition that another thread can interrupt is seldom lost.
    for (int again = 0; is_counted && again < kRepeated; ++again) {
        const std::vector<unsigned> before = bins;
        threads_reading = 0;
        edges(bins.data(), in.width, in.height, threads_for(in));
        require(bins == before, "Two calls with the same picture give different counts.");
    }
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

/// Rows one after the other that are missing.
static std::string missing_rows(const Input& in, const Values& bins, const Values& expected) {
    Values missing(256), window(256);
    std::int64_t pixels = 0;
    for (int v = 0; v < 256; ++v) pixels += missing[v] = expected[v] - bins[v];
    const auto rows = static_cast<int>(in.width > 2 ? pixels / (in.width - 2) : 0);
    for (int y = 0; y < in.height && rows > 0; ++y) {
        for_rows(in, y, y + 1, [&](int v) { ++window[v]; });
        if (y >= rows) for_rows(in, y - rows, y - rows + 1, [&](int v) { --window[v]; });
        if (window == missing)
            return " Missing are rows " + std::to_string(y - rows + 1) + " to " +
                   std::to_string(y) + '.';
    }
    return "";
}

/// Does an atomic addition for each pixel.
static void baseline(const Input& in, std::vector<unsigned>& bins) {
    std::fill(bins.begin(), bins.end(), 0);
    const int threads = threads_for(in);
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t)
        team.emplace_back([&, t] {
            for_rows(in, in.height * t / threads, in.height * (t + 1) / threads,
                     [&](int v) { std::atomic_ref(bins[v]).fetch_add(1); });
        });
}

static Size timed(Draw& draw) { return {drawn_from(2400, 99, draw), drawn_from(1400, 99, draw)}; }

/// The first one is also tried black: its one thread then counts to more than 65535.
static std::vector<Size> sizes(Draw& draw) {
    std::vector<Size> all = any_sizes(draw);
    all[0] = {drawn_from(20, 9, draw), drawn_from(4096, 99, draw)};
    return all;
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .explain = missing_rows,
                  .out_values = [](const Input&) { return std::size_t(256); },
                  .sizes = sizes,
                  .with = with_threads,
                  .baseline = baseline,
                  .times_as_fast = 1.5,
                  .timed = timed,
                  .counts = {{"threads that read rows", 1, kThreads}},
                  .counted = count_rows,
                  .counted_size = {8192, 1000}});
}
