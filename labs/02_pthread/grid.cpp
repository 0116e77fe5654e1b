// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// grid (ariano2023, section 3.4.2)
//
// The idea: n threads as a grid of rows x columns of rectangles; the last row and the last column
// of the grid take the remainder. For even n the report's rule: n / 2 rows, or n / 4 columns where
// 4 divides n > 4 (2: 1x2, 4: 2x2, 6: 3x2, 8: 4x2, 10: 5x2, 12: 4x3, 14: 7x2, 16: 4x4). Applied to
// odd n that rule leaves threads without work (5 gives 2x2), so odd n take their most square
// factors.
//
// Since rows: shares of another shape; each has two more edges whose halo a neighbour reads too.
//
// What limits it: as rows, and rectangles cut each image row into pieces.
//
// Alone: build/labs/02_pthread/lab bench --variant grid --threads 4,6,8 --size 1080p
#include "labs/02_pthread/nested_threads.hpp"
#include "labs/02_pthread/threads.hpp"

namespace convolab {
namespace {

struct Shape {
    int rows;
    int columns;
};

Shape shape_for(int threads) {
    if (threads == 2) return {1, 2};
    if (threads == 4) return {2, 2};
    if (threads % 4 == 0) return {threads / (threads / 4), threads / 4};
    if (threads % 2 == 0) return {threads / 2, 2};
    int columns = 1;
    for (int c = 1; c * c <= threads; ++c)
        if (threads % c == 0) columns = c;
    return {threads / columns, columns};
}

class Grid final : public NestedThreads {
  public:
    explicit Grid(const Job& job) : NestedThreads(job), shape_(shape_for(threads_)) {}

    void run() override {
        const std::int64_t height = output_.height() / shape_.rows;
        const std::int64_t width = output_.width() / shape_.columns;
        on_threads(threads_, [&](int i) {
            const int row = i / shape_.columns;
            const int column = i % shape_.columns;
            convolve({column * width, row * height,
                      column == shape_.columns - 1 ? output_.width() : (column + 1) * width,
                      row == shape_.rows - 1 ? output_.height() : (row + 1) * height});
        });
    }

  private:
    Shape shape_;
};

}  // namespace

extern const Variant grid;
const Variant grid{
    .name = "grid",
    .idea = "n threads as a grid of rectangles, the last row and column take the remainder",
    .make = [](const Job& job) { return std::make_unique<Grid>(job); },
    .uses = kUsesThreads,
    .memory = nested_memory,
};

}  // namespace convolab
