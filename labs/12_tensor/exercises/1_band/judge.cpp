// SPDX-License-Identifier: MIT
// Compares every number of the matrix, for K of 1 to 15 and 1 to 4 channels. Counts nothing.
#include "labs/exercise/exercise.hpp"

using namespace convolab::exercise;

void fill_matrix(const signed char* taps, int ksize, int channels, signed char* matrix);

/// As wide as the picture, which is not used otherwise.
struct Filter {
    int ksize, channels;
    std::vector<signed char> taps;
};

static std::vector<Size> sizes(Draw&) {
    std::vector<Size> all;
    for (int channels = 1; channels <= 4; ++channels)
        for (int ksize = 1; ksize <= 15; ksize += 2) all.push_back({ksize, ksize});
    return all;
}

static Filter filter_for(const Input& in) {
    Filter filter{in.width, 1 + in.turn / 8 % 4, {}};
    Draw draw(in.samples.empty() ? 1 : in.samples[0]);
    for (int i = 0; i < filter.ksize * filter.ksize; ++i)
        filter.taps.push_back(static_cast<signed char>(draw() >> 24 | 1));
    return filter;
}

static int window_of(const Filter& f) { return 8 + (f.ksize - 1) * f.channels; }
static std::size_t numbers_of(const Input& in) {
    const Filter f = filter_for(in);
    return std::size_t(16) * (f.ksize + 1) * window_of(f);
}

static void answer(const Input& in, std::vector<signed char>& matrix) {
    const Filter f = filter_for(in);
    fill_matrix(f.taps.data(), f.ksize, f.channels, matrix.data());
}

static std::string wrong(const Input& in, const Values& matrix) {
    const Filter f = filter_for(in);
    const int window = window_of(f), columns = (f.ksize + 1) * window;
    for (int m = 0; m < 16; ++m)
        for (int k = 0; k < columns; ++k) {
            const int j = k / window - m / 8, at = k % window - m % 8, i = at / f.channels;
            const bool is_tap =
                j >= 0 && j < f.ksize && at >= 0 && at % f.channels == 0 && i < f.ksize;
            const int right = is_tap ? f.taps[j * f.ksize + i] : 0;
            if (matrix[m * columns + k] == right) continue;
            std::string text = "number " + std::to_string(k) + " of row " + std::to_string(m) +
                               " is " + std::to_string(matrix[m * columns + k]) + " instead of " +
                               std::to_string(right);
            if (is_tap)
                text += ", tap " + std::to_string(i) + " of the filter's row " + std::to_string(j);
            return text + '.';
        }
    return "";
}

static std::string with_channels(const Input& in) {
    const int channels = filter_for(in).channels;
    return std::to_string(channels) + (channels == 1 ? " channel" : " channels");
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .wrong = wrong,
                  .out_values = numbers_of,
                  .sizes = sizes,
                  .with = with_channels});
}
