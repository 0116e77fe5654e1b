// SPDX-License-Identifier: MIT

#include "labs/exercise/threads.hpp"

using namespace convolab::exercise;

void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height, int threads);

static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    watch_threads(
        in, [&] { smooth(in.samples.data(), out.data(), in.width, in.height, threads_for(in)); });
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

/// One thread does all rows.
static void baseline(const Input& in, std::vector<std::uint8_t>& out) { expected(in, out); }

/// With 13 to 16 threads.
static Size timed(Draw& draw) {
    return {8 * drawn_from(370, 9, draw), 1508 + drawn_from(0, 4, draw)};
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .with = with_threads,
                  .baseline = baseline,
                  .times_as_fast = 0.55,
                  .timed = timed,
                  .counts = {{"threads started", 1, kThreads}},
                  .counted = count_threads,
                  .counted_size = {9000, 160}});
}
