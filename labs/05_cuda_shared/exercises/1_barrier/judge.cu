// SPDX-License-Identifier: MIT
// Compares every value. Fails above 15 shared requests or 5.2 global load requests for each row of
// a block of 128, or if shared memory is not used.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_gradient(const unsigned char* d_in, int* d_out, int width, int height);

static void answer(const Input& in, std::vector<int>& out) {
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    time_launch([&] { launch_gradient(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const unsigned char* row = &in.samples[y * in.width];
            out[y * in.width + x] = row[std::min(x + 1, in.width - 1)] - row[x];
        }
}

constexpr Unit kPerRowOfBlock = {" for each row of a block", [](const Input& in) {
                                     return double((in.width + 127) / 128) * in.height;
                                 }};

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .counts = {{"shared requests", 15, kPerRowOfBlock,
                              "no kernel uses shared memory, where the threads share a row"},
                             {"global load requests", 5.2, kPerRowOfBlock}}});
}
