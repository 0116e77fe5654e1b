// SPDX-License-Identifier: MIT
// grid -- one rectangle per thread
// Source: ariano2023, section 3.4.2.
// Idea: n threads form a grid of rows x columns, and each computes one rectangle of the output. The
//     last row and the last column of the grid take the remainders. For even n, the report's rule
//     makes 2 columns, or n / 4 if 4 divides n > 4 (6: 3x2, 8: 4x2, 12: 4x3, 16: 4x4). For odd n of
//     5 or more, that rule leaves threads without work (5 becomes 2x2), so this file takes the two
//     factors of n that differ least.
// Since rows: threads compute rectangles instead of bands. Rectangles have longer edges, and two
//     threads read the pixels on both sides of an edge.
// Limit: static scheduling, as in rows. Besides, each row of the image is cut into pieces.
// Alone: build/labs/02_pthread/lab bench --variant grid --threads 4,6,8 --size 1080p
#include "common/variant/cpu_variant.hpp"
#include "labs/02_pthread/shared/nested_part.hpp"
#include "labs/02_pthread/shared/threads.hpp"
#include "labs/02_pthread/variants.hpp"

namespace convolab {
namespace {

int columns_for(int threads) {
    if (threads == 2 || threads == 4) return 2;
    if (threads % 4 == 0) return threads / 4;
    if (threads % 2 == 0) return 2;
    int columns = 1;
    for (int c = 1; c * c <= threads; ++c)
        if (threads % c == 0) columns = c;
    return columns;
}

void convolve_grid(const ThreadedNested& job, Image& result) {
    const int columns = columns_for(job.threads);
    const int rows = job.threads / columns;
    const std::int64_t width = result.width() / columns;
    const std::int64_t height = result.height() / rows;
    Threads threads;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const Rectangle part = {column * width, row * height,
                                    column == columns - 1 ? result.width() : (column + 1) * width,
                                    row == rows - 1 ? result.height() : (row + 1) * height};
            threads.start([&, part] { convolve(job, part, result); });
        }
    threads.join();
}

}  // namespace

const Variant grid = cpu_variant(
    {.name = "grid", .idea = "a rectangle for each thread, in a grid", .uses = kUsesThreads},
    convolve_grid);

}  // namespace convolab
