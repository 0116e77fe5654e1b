// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 2.4 global requests for each 32 pixels of a row or 0 shared
// requests.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_down(const int* d_sums, unsigned char* d_out, int width, int height);

/// 0 to 4080, as the first pass makes them of samples.
static std::vector<int> row_sums(const Input& in) {
    std::vector<int> sums;
    for (const unsigned char sample : in.samples) sums.push_back(16 * sample);
    return sums;
}

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_sums(row_sums(in));
    const OnDevice d_out(out);
    time_launch([&] { launch_down(d_sums.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    const std::vector<int> sums = row_sums(in);
    const int taps[] = {1, 4, 6, 4, 1};
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            int sum = 0;
            for (int j = 0; j < 5; ++j)
                sum += taps[j] * sums[std::clamp(y + j - 2, 0, in.height - 1) * in.width + x];
            out[y * in.width + x] = sum / 256;
        }
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .counts = {{"global requests", 2.4, kPerRowWarp}, {"shared requests", 0}}});
}
