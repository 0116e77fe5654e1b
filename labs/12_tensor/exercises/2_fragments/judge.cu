// SPDX-License-Identifier: MIT
// Compares every sum. Fails above 9.7 global load requests for each 128 outputs of a row.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_convolve(const signed char* d_matrix, const unsigned char* d_in, int* d_out, int width,
                     int height, int pitch);

constexpr int kTaps = 17;

static std::vector<signed char> taps_for(const Input& in) {
    Draw draw(in.width * in.height);
    std::vector<signed char> taps;
    for (int i = 0; i < kTaps; ++i) taps.push_back(static_cast<signed char>(draw() >> 24));
    return taps;
}

static std::vector<signed char> matrix_for(const Input& in) {
    std::vector<signed char> matrix(16 * 32);
    const std::vector<signed char> taps = taps_for(in);
    for (int m = 0; m < 16; ++m) std::copy(taps.begin(), taps.end(), &matrix[32 * m + m]);
    return matrix;
}

// Room for a warp's 128 outputs, or four times as many, and for the samples after them.
static int pitch_of(const Input& in) { return (in.width + 511) / 512 * 512 + 16; }

/// After its last sample a row begins again.
static int sample(const Input& in, int x, int y) { return in.samples[y * in.width + x % in.width]; }

static std::vector<unsigned char> padded(const Input& in) {
    std::vector<unsigned char> rows;
    for (int i = 0; i < pitch_of(in) * in.height; ++i)
        rows.push_back(sample(in, i % pitch_of(in), i / pitch_of(in)));
    return rows;
}

static void answer(const Input& in, std::vector<int>& out) {
    const OnDevice d_matrix(matrix_for(in));
    const OnDevice d_in(padded(in));
    const OnDevice d_out(out);
    time_launch([&] {
        launch_convolve(d_matrix.data(), d_in.data(), d_out.data(), in.width, in.height,
                        pitch_of(in));
    });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    const std::vector<signed char> taps = taps_for(in);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int i = 0; i < kTaps; ++i) sum += taps[i] * sample(in, x + i, y);
            out[y * in.width + x] = sum;
        }
}

/// What a warp, or a product, computes: 128 outputs of a row.
/// Whether `out` is what a product gives that takes a(m, k) for element k of A's row m, and sample
/// at(k, n) of the window for element k of B's column n.
template <class A, class At>
static bool is_product(const Input& in, const Values& out, A a, At at) {
    for (int i = 0; i < in.width * in.height; ++i) {
        const int x = i % in.width, first = x / 128 * 128, n = x % 128 / 16, m = x % 16;
        int sum = 0;
        for (int k = 0; k < 32; ++k) sum += a(m, k) * sample(in, first + at(k, n), i / in.width);
        if (out[i] != sum) return false;
    }
    return true;
}

static std::string explain(const Input& in, const Values& out, const Values&) {
    const std::vector<signed char> matrix = matrix_for(in);
    const auto right = [&](int m, int k) { return int(matrix[32 * m + k]); };
    const auto exchanged = [&](int m, int k) {
        return m < 8 && k >= 16   ? right(m + 8, k - 16)
               : m >= 8 && k < 16 ? right(m - 8, k + 16)
                                  : right(m, k);
    };
    if (is_product(in, out, exchanged, [](int k, int n) { return 16 * n + k; }))
        return " Words 1 and 2 of A are exchanged: word 1 is of row g + 8.";
    if (is_product(in, out, right,
                   [](int k, int n) { return 4 * n + 16 * (k / 4) + k % 4 - (k / 16) * 48; }))
        return " B is taken as A's sums are: its words are of column g, not t.";
    return "";
}

constexpr Unit kPerProduct = {" for each 128 outputs", [](const Input& in) {
                                  return double((in.width + 127) / 128) * in.height;
                              }};

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .explain = explain,
                  .counts = {{"global load requests", 9.7, kPerProduct}}});
}
