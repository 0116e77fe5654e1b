// SPDX-License-Identifier: MIT
// Compares every colour. Fails above 0 constant requests or 5.5 global load sectors for each 32
// pixels.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_heat(const unsigned short* d_change, unsigned* d_out, int pixels,
                 const unsigned* d_colours);

static std::size_t pixels_of(const Input& in) { return in.frame_samples() / in.channels; }

/// Other colours for each input.
static unsigned colour_of(unsigned change, const Input& in) {
    return (change + 1 + in.samples[0]) * 2654435761u >> 8;
}

static unsigned change_of(const Input& in, int pixel) {
    const auto* samples = &in.samples[3 * pixel];
    return samples[0] + samples[1] + samples[2];
}

static void answer(const Input& in, std::vector<unsigned>& out) {
    std::vector<unsigned short> change;
    for (int i = 0; i < pixels_of(in); ++i) change.push_back(change_of(in, i));
    std::vector<unsigned> colours;
    for (int d = 0; d <= 765; ++d) colours.push_back(colour_of(d, in));
    const OnDevice d_change(change);
    const OnDevice d_out(out), d_colours(colours);
    time_launch(
        [&] { launch_heat(d_change.data(), d_out.data(), pixels_of(in), d_colours.data()); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<unsigned>& out) {
    for (int i = 0; i < pixels_of(in); ++i) out[i] = colour_of(change_of(in, i), in);
}

int main(int argc, char** argv) {
    return judge(
        argc, argv,
        {.answer = answer,
         .expected = expected,
         .channels = 3,
         .out_values = pixels_of,
         .counts = {{"constant requests", 0, kPerWarp}, {"global load sectors", 5.5, kPerWarp}}});
}
