// SPDX-License-Identifier: MIT
// Compares every sum that the tensor core makes of the answer's matrix. Fails if the two places of
// a group are not in rising order.
#include <utility>

#include "labs/12_tensor/parts/tensor_core.hpp"
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void compress(const signed char* matrix, signed char* values, unsigned* places);

/// For every other picture, beginning with the first, 17 taps, 3 samples apart; else any places.
static std::vector<signed char> matrix_for(const Input& in) {
    Draw draw(in.width * in.height);
    std::vector<signed char> matrix(16 * 64), taps(17);
    for (signed char& tap : taps) tap = static_cast<signed char>(draw() >> 24);
    for (int m = 0; m < 16; ++m) {
        for (int i = 0; i < 17; ++i)
            if (in.turn % 2 == 0) matrix[64 * m + m + 3 * i] = taps[i];
        for (int i = 0; i < 32; ++i)  // two in each group, perhaps at the same place
            if (in.turn % 2 == 1)
                matrix[64 * m + 4 * (i / 2) + draw() % 4] = static_cast<signed char>(draw() >> 24);
    }
    return matrix;
}

/// Returns "" or names the first group that the instruction does not support.
static std::string wrong_places(const std::vector<unsigned>& places) {
    for (int group = 0; group < 16 * 16; ++group) {
        const unsigned both = places[group / 8] >> (4 * (group % 8));
        const unsigned first = both & 3, second = both >> 2 & 3;
        if (first >= second)
            return "row " + std::to_string(group / 16) + ", group " + std::to_string(group % 16) +
                   " has the places " + std::to_string(first) + " and " + std::to_string(second) +
                   "; the first must be less than the second";
    }
    return "";
}

/// Output 16 n + m is row m of the matrix times the 64 samples that begin at 16 n. A warp computes 8
/// columns of 16 outputs.
__global__ void convolve(const signed char* d_values, const unsigned* d_places,
                         const unsigned char* d_in, int* d_out, int width, int pitch) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const int first = 128 * blockIdx.x, y = blockIdx.y;
    const auto word = [](const void* d_bytes) { return *static_cast<const unsigned*>(d_bytes); };
    const signed char* d_taps = d_values + 32 * g + 4 * t;
    const unsigned char* d_samples = d_in + y * pitch + first + 16 * g + 4 * t;
    const uint4 a =
        make_uint4(word(d_taps), word(d_taps + 256), word(d_taps + 16), word(d_taps + 272));
    const uint4 b = make_uint4(word(d_samples), word(d_samples + 16), word(d_samples + 32),
                               word(d_samples + 48));
    const int4 sums = convolab::multiply_sparse(a, d_places[2 * (g + 8 * (t % 2)) + t / 2], b,
                                                make_int4(0, 0, 0, 0));
    const int all[] = {sums.x, sums.y, sums.z, sums.w};
    for (int i = 0; i < 4; ++i) {
        const int x = first + 16 * (2 * t + i % 2) + g + 8 * (i / 2);
        if (x < width) d_out[y * width + x] = all[i];
    }
}

static int pitch_of(const Input& in) { return (in.width + 127) / 128 * 128 + 48; }

/// After its last sample a row begins again.
static int sample(const Input& in, int x, int y) { return in.samples[y * in.width + x % in.width]; }

static void expected(const Input& in, std::vector<int>& out) {
    const std::vector<signed char> matrix = matrix_for(in);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int k = 0; k < 64; ++k)
                sum += matrix[x % 16 * 64 + k] * sample(in, x / 16 * 16 + k, y);
            out[y * in.width + x] = sum;
        }
}

static void answer(const Input& in, std::vector<int>& out) {
    std::vector<signed char> values(16 * 32, 99);
    std::vector<unsigned> places(16 * 2, 0x5a5a5a5a);
    compress(matrix_for(in).data(), values.data(), places.data());
    const std::string wrong = wrong_places(places);
    if (!wrong.empty()) complain(wrong + '.');
    std::vector<unsigned char> rows;
    for (int i = 0; i < pitch_of(in) * in.height; ++i)
        rows.push_back(sample(in, i % pitch_of(in), i / pitch_of(in)));
    const OnDevice d_values(values);
    const OnDevice d_places(places);
    const OnDevice d_in(rows);
    const OnDevice d_out(out);
    time_launch([&] {
        convolve<<<dim3((in.width + 127) / 128, in.height), 32>>>(
            d_values.data(), d_places.data(), d_in.data(), d_out.data(), in.width, pitch_of(in));
    });
    d_out.copy_to(out);
}

int main(int argc, char** argv) {
    return judge(argc, argv, {.answer = answer, .expected = expected});
}
