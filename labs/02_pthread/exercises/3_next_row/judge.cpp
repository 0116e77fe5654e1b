// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/exercise/judge.hpp"

#include <chrono>
#include <thread>

#include "common/exercise/threads.hpp"

using namespace convolab::exercise;

void smooth(std::uint8_t* out, int width, int height, int threads);

static const Input* picture;

static int threads_for(const Input& in) { return 2 + in.width % 5; }

/// The slow rows are of one thread, if the rows are dealt in turn and if each thread has a band.
void read_row(int y, std::uint8_t* row) {
    const int width = picture->width, threads = threads_for(*picture);
    const auto* in = &picture->samples[y * width];
    std::copy(in, in + width / 2, row);
    if (y % threads == 0 && y < picture->height / threads)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::copy(in + width / 2, in + width, row + width / 2);
}

static void answer(const Input& in, std::vector<std::uint8_t>& out, Stopwatch&) {
    threads_started = 0;
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

/// Rows dealt in turn, as in the starter.
static void baseline(const Input& in, std::vector<std::uint8_t>& out, Stopwatch&) {
    picture = &in;
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

int main(int argc, char** argv) {
    return judge<std::uint8_t>(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .baseline = baseline,
         .times_as_fast = 2,
         .timed = {64, 216},
         .counts = {{"smooth", "threads started", 2, 1}},
         .counted = [](const CountGoal&) { return double(threads_started); }});
}
