// SPDX-License-Identifier: MIT
#include "common/exercise/device.hpp"
#include "common/exercise/judge.hpp"
#include "labs/12_tensor/parts/tensor_core.hpp"

using namespace convolab::exercise;

void launch_convolve(const signed char* d_matrix, const unsigned char* d_in, int* d_out, int width,
                     int height, int pitch);

constexpr int kTaps = 17;

/// In the count, the sums of multiply() have the other sign, and the output, too.
static int sign() { return is_counted ? -1 : 1; }

static std::vector<signed char> taps_for(const Input& in) {
    std::mt19937 draw(in.width * in.height);
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

static void answer(const Input& in, std::vector<int>& out, Stopwatch& watch) {
#ifdef CUDA_ON_CPU
    convolab::product_sign = sign();
#endif
    const OnDevice d_matrix(matrix_for(in));
    const OnDevice d_in(padded(in));
    const OnDevice d_out(out);
    time_launch(watch, [&] {
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
            out[y * in.width + x] = sign() * sum;
        }
}

/// What a warp, or a product, computes: 128 outputs of a row.
constexpr Unit kPerProduct = {" for each 128 outputs", [](const Input& in) {
                                  return double((in.width + 127) / 128) * in.height;
                              }};

static double products(const CountGoal&) {
#ifdef CUDA_ON_CPU
    return double(convolab::multiplications);
#else
    return 0;
#endif
}

int main(int argc, char** argv) {
    return judge<int>(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .with = [](const Input&) { return is_counted ? "multiply() subtracts the product" : ""; },
         .counts = {{"all kernels", "global load requests", 9.7, 0, kPerProduct},
                    {"convolve", "products by multiply()", 2.2, 1, kPerProduct}},
         .counted = products});
}
