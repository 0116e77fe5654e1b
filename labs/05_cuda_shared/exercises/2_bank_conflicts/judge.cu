// SPDX-License-Identifier: MIT
// Compares every sum. Fails above 0 bank conflicts, 7 shared requests (and at none) or 3 global
// requests for each 32 pixels of a row, or above 5 sectors per request.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_row_sums(const unsigned char* d_in, int* d_out, int width, int height);

static void answer(const Input& in, std::vector<int>& out) {
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    time_launch([&] { launch_row_sums(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    for (int i = 0; i < in.width * in.height; ++i)
        out[i] = in.samples[i] + (i % in.width > 0 ? out[i - 1] : 0);
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .counts = {{"bank conflicts", 0, kPerRowWarp},
                             {"shared requests", 7, kPerRowWarp,
                              "no kernel uses shared memory, where the tile is to be"},
                             {"global requests", 3, kPerRowWarp},
                             {"sectors per request", 5}}});
}
