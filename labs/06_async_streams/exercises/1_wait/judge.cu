// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 1 launches for each part of 2000 samples.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void negative_by_parts(const unsigned char* in, unsigned char* out, int samples);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    negative_by_parts(in.samples.data(), out.data(), in.samples.size());
    check(cudaGetLastError());
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (std::size_t i = 0; i < in.samples.size(); ++i) out[i] = 255 - in.samples[i];
}

constexpr Unit kPerPart = {
    " for each part", [](const Input& in) { return double((in.width * in.height + 1999) / 2000); }};

/// Of few parts: each in which something is wrong takes long to tell.
static std::vector<Size> sizes(Draw& draw) {
    return {{drawn_from(33, 30, draw), drawn_from(17, 13, draw)},
            {drawn_from(81, 30, draw), drawn_from(51, 9, draw)},
            {drawn_from(2, 6, draw), drawn_from(2, 4, draw)}};
}

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .sizes = sizes,
                  .counts = {{"launches", 1, kPerPart}}});
}
