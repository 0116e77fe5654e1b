// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/exercise/judge.hpp"

#include "common/exercise/threads.hpp"

using namespace convolab::exercise;

void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height, int threads);

static void answer(const Input& in, std::vector<std::uint8_t>& out, Stopwatch&) {
    threads_started = 0;
    smooth(in.samples.data(), out.data(), in.width, in.height, 1 + in.width % 7);
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

int main(int argc, char** argv) {
    // With 3, 5, 1, 6 and 7 threads.
    return judge<std::uint8_t>(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .sizes = {{37, 23}, {130, 67}, {70, 31}, {5, 3}, {517, 41}},
         .counts = {{"smooth", "threads started", 5, 4}},
         .counted = [](const CountGoal&) { return double(threads_started); }});
}
