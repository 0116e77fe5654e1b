// SPDX-License-Identifier: MIT
// Compares every sum, with other taps for each picture. Counts nothing.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_convolve(const unsigned char* d_in, int* d_out, int width, int height,
                     const int* h_taps);

/// Other taps for each input.
static std::vector<int> taps_for(const Input& in) {
    std::vector<int> taps;
    for (int i = 0; i < 9; ++i)
        taps.push_back(101 + i + (in.samples[i % in.samples.size()] + in.width) % 5);
    return taps;
}

static std::string with_taps(const Input& in) {
    return in.turn > 0 ? "other taps than before" : "";
}

static void answer(const Input& in, std::vector<int>& out) {
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    const std::vector<int> taps = taps_for(in);
    time_launch(
        [&] { launch_convolve(d_in.data(), d_out.data(), in.width, in.height, taps.data()); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    const std::vector<int> taps = taps_for(in);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int row = std::max(y - 1, 0); row <= std::min(y + 1, in.height - 1); ++row)
                for (int column = std::max(x - 1, 0); column <= std::min(x + 1, in.width - 1);
                     ++column)
                    sum += taps[(row - y + 1) * 3 + column - x + 1] *
                           in.samples[row * in.width + column];
            out[y * in.width + x] = sum;
        }
}

int main(int argc, char** argv) {
    return judge(argc, argv, {.answer = answer, .expected = expected, .with = with_taps});
}
