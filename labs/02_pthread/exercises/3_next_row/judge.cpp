// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <atomic>

#include "labs/exercise/threads.hpp"

using namespace convolab::exercise;

void smooth(std::uint8_t* out, int width, int height, int threads);

static const Input* picture;
static std::atomic<int> rows_read, rows_left;

/// In the count, the first row is a slow one: it takes until all others have been read, or until no
/// row was read for seconds. rows_left is then what the other threads have left.
static void read_slowly() {
    constexpr int kPatience = 3000;
    int before = 0;
    for (int ms = 0; ms < kPatience && rows_read < picture->height; ++ms) {
        usleep(1000);
        if (rows_read != before) ms = 0;
        before = rows_read;
    }
    rows_left = picture->height - rows_read;
}

void read_row(int y, std::uint8_t* row) {
    const auto* in = &picture->samples[y * picture->width];
    if (rows_read++ == 0 && is_counted) read_slowly();
    std::copy(in, in + picture->width, row);
}

static double counted(const CountGoal& goal) {
    return goal.figure == "threads started" ? threads_started : rows_left;
}

static void answer(const Input& in, std::vector<std::uint8_t>& out) {
    picture = &in;
    rows_read = 0;
    watch_threads(in, [&] { smooth(out.data(), in.width, in.height, threads_for(in)); });
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
    return judge(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .with = with_threads,
         .counts = {{"rows that wait for a slow one", 2}, {"threads started", 1, kThreads}},
         .counted = counted,
         .counted_size = {130, 167}});
}
