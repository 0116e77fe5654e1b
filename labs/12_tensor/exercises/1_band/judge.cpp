// SPDX-License-Identifier: MIT
#include "tools/exercises/judge/exercise.hpp"

using namespace convolab::exercise;

void fill_matrix(const signed char* taps, int ksize, int channels, signed char* matrix);

/// The filter depends on the size of the picture.
struct Filter {
    int ksize, channels;
    std::vector<signed char> taps;
};

static std::vector<Size> sizes(Draw&) {
    std::vector<Size> all;
    for (int channels = 1; channels <= 4; ++channels)
        for (int ksize = 1; ksize <= 15; ksize += 2) all.push_back({32 + channels, 10 + ksize});
    return all;
}

static Filter filter_for(const Input& in) {
    Filter filter{in.height - 10, in.width - 32, {}};
    Draw draw(in.samples.empty() ? 1 : in.samples[0] + 256 * in.width);
    for (int i = 0; i < filter.ksize * filter.ksize; ++i)
        filter.taps.push_back(static_cast<signed char>(draw() >> 24 | 1));
    return filter;
}

/// After its last row and column the picture begins again.
static int sample(const Input& in, int x, int y) {
    return in.samples[y % in.height * in.width + x % in.width];
}

static void expected(const Input& in, std::vector<int>& out) {
    const Filter f = filter_for(in);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int j = 0; j < f.ksize; ++j)
                for (int i = 0; i < f.ksize; ++i)
                    sum += f.taps[j * f.ksize + i] * sample(in, x + i * f.channels, y + j);
            out[y * in.width + x] = sum;
        }
}

static void answer(const Input& in, std::vector<int>& out) {
    const Filter f = filter_for(in);
    const int window = 8 + (f.ksize - 1) * f.channels, columns = (f.ksize + 1) * window;
    std::vector<signed char> matrix(16 * columns, 99);
    fill_matrix(f.taps.data(), f.ksize, f.channels, matrix.data());
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const signed char* weights = &matrix[(y % 2 * 8 + x % 8) * columns];
            int sum = 0;
            for (int k = 0; k < columns; ++k)
                sum += weights[k] * sample(in, x / 8 * 8 + k % window, y / 2 * 2 + k / window);
            out[y * in.width + x] = sum;
        }
}

static std::string with_filter(const Input& in) {
    const Filter f = filter_for(in);
    return std::to_string(f.ksize) + " x " + std::to_string(f.ksize) +
           " taps, channels: " + std::to_string(f.channels);
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer, .expected = expected, .sizes = sizes, .with = with_filter});
}
