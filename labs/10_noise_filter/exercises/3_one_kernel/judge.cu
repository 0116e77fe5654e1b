// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 9 bytes moved for each pixel, in loads and stores, or 1
// launches.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_marks(const unsigned char* d_previous, const unsigned char* d_current,
                  unsigned char* d_room, unsigned char* d_marks, int width, int height);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_in(in.samples), d_room(in.samples);
    const OnDevice d_out(out);
    time_launch([&] {
        launch_marks(d_in.data(), d_in.data() + out.size(), d_room.data(), d_out.data(), in.width,
                     in.height);
    });
    d_out.copy_to(out);
}

static int mean(const Input& in, int frame, int x, int y) {
    int sum = 0;
    for (int row = y - 1; row <= y + 1; ++row)
        for (int column = x - 1; column <= x + 1; ++column)
            sum += in.samples[frame * in.frame_samples() +
                              std::clamp(row, 0, in.height - 1) * in.width +
                              std::clamp(column, 0, in.width - 1)];
    return (sum + 4) / 9;
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            out[y * in.width + x] = std::abs(mean(in, 1, x, y) - mean(in, 0, x, y)) > 20 ? 255 : 0;
}

constexpr Unit kPerPixel = {" for each pixel",
                            [](const Input& in) { return double(in.width) * in.height; }};

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .frames = 2,
                  .counts = {{"bytes moved", 9, kPerPixel}, {"launches", 1}},
                  // blocks of 30 x 14 and of 32 x 16 fit
                  .counted_size = {480, 112}});
}
