// SPDX-License-Identifier: MIT
// Compares every value. Fails above 6 sectors per request, 9 global requests for each 32 pixels or
// 4 blocks.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_change(const unsigned char* d_previous, const unsigned char* d_current, int* d_out,
                   int pixels);

static std::size_t pixels_of(const Input& in) { return in.frame_samples() / in.channels; }

static void answer(const Input& in, std::vector<int>& out) {
    const auto second = in.samples.begin() + in.frame_samples();
    const OnDevice d_previous(std::vector<unsigned char>(in.samples.begin(), second));
    const OnDevice d_current(std::vector<unsigned char>(second, in.samples.end()));
    const OnDevice d_out(out);
    time_launch(
        [&] { launch_change(d_previous.data(), d_current.data(), d_out.data(), pixels_of(in)); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    for (std::size_t i = 0; i < in.frame_samples(); ++i) {
        if (i % 3 == 0) out[i / 3] = 0;
        out[i / 3] += std::abs(in.samples[in.frame_samples() + i] - in.samples[i]);
    }
}

int main(int argc, char** argv) {
    return judge(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .channels = 3,
         .frames = 2,
         .out_values = pixels_of,
         .counts = {{"sectors per request", 6}, {"global requests", 9, kPerWarp}, {"blocks", 4}}});
}
