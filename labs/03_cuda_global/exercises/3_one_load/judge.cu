// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 2 global requests for each 32 pixels of a row.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_gray(const unsigned char* d_in, unsigned char* d_out, int width, int height);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_in(in.samples), d_out(out);
    time_launch([&] { launch_gray(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (std::size_t i = 0; i < out.size(); i += 4) {
        const unsigned char* pixel = &in.samples[i];
        out[i] = out[i + 1] = out[i + 2] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;
        out[i + 3] = pixel[3];
    }
}

static std::string explain(const Input& in, const Values& out, const Values& expected) {
    bool is_sorted = true, is_exchanged = true;  // red and blue
    for (std::size_t i = 0; i < out.size(); i += 4) {
        is_sorted = is_sorted && std::is_permutation(&out[i], &out[i] + 4, &expected[i]);
        const unsigned char* pixel = &in.samples[i];
        is_exchanged =
            is_exchanged && out[i] == (29 * pixel[0] + 150 * pixel[1] + 77 * pixel[2]) / 256;
    }
    return is_exchanged ? " Red and blue are exchanged."
           : is_sorted  ? " Each pixel has its four bytes, in another order."
                        : "";
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .explain = explain,
                  .channels = 4,
                  .counts = {{"global requests", 2, kPerRowWarp}}});
}
