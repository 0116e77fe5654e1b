// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 0.6 global load requests for each 32 pixels of a row or
// 0.3 copies with no other behind: when they are waited for, the next row's is not in flight.
#include "common/cuda/async_copy.hpp"
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_smooth(const unsigned char* d_in, unsigned char* d_out, int width, int height,
                   int pitch);

static int pitch_of(const Input& in) { return (in.width + 15) / 16 * 16 + 288; }

/// Rows of `pitch` samples, 16 zeros before the picture's.
static std::vector<unsigned char> padded(const Input& in) {
    const int pitch = pitch_of(in);
    std::vector<unsigned char> rows(std::size_t(pitch) * in.height);
    for (std::size_t i = 0; i < in.samples.size(); ++i)
        rows[i / in.width * pitch + 16 + i % in.width] = in.samples[i];
    return rows;
}

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_in(padded(in)), d_out(out);
    time_launch(
        [&] { launch_smooth(d_in.data() + 16, d_out.data(), in.width, in.height, pitch_of(in)); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const unsigned char* row = &in.samples[y * in.width];
            out[y * in.width + x] =
                ((x > 0 ? row[x - 1] : 0) + 2 * row[x] + (x + 1 < in.width ? row[x + 1] : 0)) / 4;
        }
}

/// Of 16 bytes: in the solution those of the last row.
static double copies_alone(const CountGoal& goal) {
#ifdef CUDA_ON_CPU
    if (goal.figure == "copies with no other behind") return double(convolab::copies_alone);
#endif
    return 0;
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .counts = {{"global load requests", 0.6, kPerRowWarp},
                             {"copies with no other behind", 0.3, kPerRowWarp}},
                  .counted = copies_alone});
}
