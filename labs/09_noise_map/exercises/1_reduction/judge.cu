// SPDX-License-Identifier: MIT
// Compares the number. Fails above 0.22 atomics, 8 global requests or 22 shared requests (and at
// none) for each 32 pixels.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_count(const unsigned char* d_previous, const unsigned char* d_current, int* d_count,
                  int pixels);

static void answer(const Input& in, std::vector<int>& out) {
    const int pixels = in.width * in.height;
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    time_launch([&] { launch_count(d_in.data(), d_in.data() + pixels, d_out.data(), pixels); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    const int pixels = in.width * in.height;
    out[0] = 0;
    for (int i = 0; i < pixels; ++i)
        out[0] += std::abs(in.samples[pixels + i] - in.samples[i]) > 20;
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .frames = 2,
                  .out_values = [](const Input&) { return std::size_t(1); },
                  .counts = {{"atomics", 0.22, kPerWarp},
                             {"global requests", 8, kPerWarp},
                             {"shared requests", 22, kPerWarp,
                              "no kernel uses shared memory, where a block adds up its numbers"}}});
}
