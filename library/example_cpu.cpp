// SPDX-License-Identifier: MIT
#include <cstdio>

#include "convolab.hpp"

int main() try {
    constexpr int width = 1920, height = 1080, pitch = 3 * width;
    const std::vector<std::uint8_t> in(height * pitch, 100);
    std::vector<std::uint8_t> out(in.size());

    const convolab::lib::Cpu blur({.width = width,
                                   .height = height,
                                   .channels = 3,
                                   .taps = {1, 2, 1, 2, 4, 2, 1, 2, 1},
                                   .divisor = 16},
                                  /*threads=*/2);
    blur.run({in.data(), width, height, 3, pitch}, {out.data(), width, height, 3, pitch});

    std::printf("%s: %d becomes %d\n", blur.which().c_str(), in[0], out[0]);
} catch (const convolab::lib::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
