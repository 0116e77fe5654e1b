// SPDX-License-Identifier: MIT
// Compares every byte. Fails below 2 times the speed of the same loops with x outside and y
// inside.
#include "labs/exercise/exercise.hpp"

using namespace convolab::exercise;

void smooth(const std::uint8_t* in, std::uint8_t* out, int width, int height);

static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    smooth(in.samples.data(), out.data(), in.width, in.height);
}

static std::uint8_t right(const Input& in, int x, int y) {
    int sum = 0;
    for (int i = x - 1; i <= x + 1; ++i)
        if (i >= 0 && i < in.width) sum += in.samples[y * in.width + i];
    return static_cast<std::uint8_t>(sum / 3);
}

static void expected(const Input& in, std::vector<std::uint8_t>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) out[y * in.width + x] = right(in, x, y);
}

static void baseline(const Input& in, std::vector<std::uint8_t>& out) {
    for (int x = 0; x < in.width; ++x)
        for (int y = 0; y < in.height; ++y) out[y * in.width + x] = right(in, x, y);
}

/// The width is a power of two, so that steps from row to row fall into few sets of a cache.
static Size timed(Draw& draw) {
    return {4096 * drawn_from(1, 2, draw), drawn_from(600, 200, draw)};
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .baseline = baseline,
                  .times_as_fast = 2,
                  .timed = timed});
}
