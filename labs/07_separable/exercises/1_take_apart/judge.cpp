// SPDX-License-Identifier: MIT
// Compares column[y] * row[x] with every tap of 11 filters for each size: also of one with the sum 0
// and of two without a positive tap. Counts nothing.
#include <cmath>
#include <numeric>

#include "labs/exercise/exercise.hpp"

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

/// Makes the sum 0, of more than one number.
static void balance(std::vector<int>& numbers) {
    if (numbers.size() == 1) return;
    numbers[0] = 3;
    numbers.back() -= std::accumulate(numbers.begin(), numbers.end(), 0);
}

constexpr int kFilters = 11;

/// The filters for each picture, of its size: their taps, one after the other.
static void fill_filters(const Input& in, std::vector<int>& out) {
    for (int filter = 0; filter < kFilters; ++filter) {
        std::vector<int> column = line(in, in.height, filter % 3, filter);
        std::vector<int> row = line(in, in.width, filter / 3 % 3, filter + 40);
        if (filter == 8) {
            balance(column);
            balance(row);
        } else if (filter >= 9) {  // no positive tap, and in the second of these zeros first
            for (int& number : column) number = 1 + std::abs(number);
            for (int& number : row) number = -1 - std::abs(number);
            if (filter == 10 && in.height > 1) column[0] = 0;
        }
        for (std::size_t i = 0; i < in.samples.size(); ++i)
            out[filter * in.samples.size() + i] = column[i / in.width] * row[i % in.width];
    }
}

constexpr int kNoNumber = -999999;  // a product that is no whole number

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
            out[first + i] = std::abs(tap) < 1e6 ? std::lround(tap) : kNoNumber;
            if (std::abs(tap - out[first + i]) > 1e-9) out[first + i] = kNoNumber;
        }
    }
}

static std::string wrong(const Input& in, const Values& products) {
    std::vector<int> taps(products.size());
    fill_filters(in, taps);
    for (std::size_t i = 0; i < taps.size(); ++i) {
        if (products[i] == taps[i]) continue;
        const std::size_t size = in.samples.size(), first = i / size * size;
        const std::size_t row = i % size / in.width, column = i % in.width;
        std::string text =
            "column[" + std::to_string(row) + "] * row[" + std::to_string(column) + "] is " +
            (products[i] == kNoNumber ? "not finite, or not whole" : std::to_string(products[i])) +
            "; the tap is " + std::to_string(taps[i]) + '.';
        if (size > 30) return text;
        text += " The taps:";
        for (std::size_t k = first; k < first + size; ++k)
            text += (k > first && k % in.width == 0 ? " | " : " ") + std::to_string(taps[k]);
        return text;
    }
    return "";
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
                  .wrong = wrong,
                  .out_values = [](const Input& in) { return kFilters * in.samples.size(); },
                  .sizes = sizes});
}
