// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 36 shared requests or 7.5 global requests for each 32 pixels of
// a row.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_mean(const unsigned char* d_in, unsigned char* d_out, int width, int height);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    time_launch([&] { launch_mean(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int row = y - 3; row <= y + 3; ++row)
                for (int column = x - 3; column <= x + 3; ++column)
                    sum += in.samples[std::clamp(row, 0, in.height - 1) * in.width +
                                      std::clamp(column, 0, in.width - 1)];
            out[y * in.width + x] = (sum + 24) / 49;
        }
}

int main(int argc, char** argv) {
    return judge(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .counts = {{"shared requests", 36, kPerRowWarp}, {"global requests", 7.5, kPerRowWarp}}});
}
