// SPDX-License-Identifier: MIT
#include <cmath>

#include "tools/exercises/judge/exercise.hpp"

using namespace convolab::exercise;

void separate(const double* taps, int width, int height, double* column, double* row);

/// Column or row of a filter: small numbers, drawn from the picture, after none to two zeros.
static std::vector<int> line(const Input& in, int length, int zeros, int from) {
    std::vector<int> numbers(length);
    for (int i = std::min(zeros, length - 1); i < length; ++i)
        numbers[i] = (in.samples[(from + i) % in.samples.size()] + i) % 13 - 7;
    if (numbers.back() == 0) numbers.back() = 5;
    return numbers;
}

/// Eight filters for each picture, of its size: their taps, one after the other.
static void fill_filters(const Input& in, std::vector<int>& out) {
    for (int filter = 0; filter < 8; ++filter) {
        const std::vector<int> column = line(in, in.height, filter % 3, filter);
        const std::vector<int> row = line(in, in.width, filter / 3, filter + 40);
        for (std::size_t i = 0; i < in.samples.size(); ++i)
            out[filter * in.samples.size() + i] = column[i / in.width] * row[i % in.width];
    }
}

static void answer(const Input& in, std::vector<int>& out) {
    std::vector<int> taps(out.size());
    fill_filters(in, taps);
    for (std::size_t first = 0; first < taps.size(); first += in.samples.size()) {
        const std::vector<double> filter(taps.begin() + first,
                                         taps.begin() + first + in.samples.size());
        std::vector<double> column(in.height, NAN), row(in.width, NAN);
        separate(filter.data(), in.width, in.height, column.data(), row.data());
        for (std::size_t i = 0; i < in.samples.size(); ++i) {
            const double tap = column[i / in.width] * row[i % in.width];
            out[first + i] = std::abs(tap) < 1e6 ? std::lround(tap) : -999999;
            if (std::abs(tap - out[first + i]) > 1e-9) out[first + i] = -999999;  // no whole number
        }
    }
}

static std::vector<Size> sizes(Draw& draw) {
    return {{drawn_from(4, 6, draw), drawn_from(2, 2, draw)},
            {drawn_from(2, 2, draw), drawn_from(5, 9, draw)},
            {1, drawn_from(3, 9, draw)},
            {drawn_from(4, 9, draw), 1},
            {drawn_from(130, 70, draw), drawn_from(40, 60, draw)}};
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = fill_filters,
                  .out_values = [](const Input& in) { return 8 * in.samples.size(); },
                  .sizes = sizes});
}
