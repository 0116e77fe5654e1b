// SPDX-License-Identifier: MIT
// Compares every value. Fails above 15 global requests for each 32 pixels of a row.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_edges(const unsigned char* d_in, int* d_out, int width, int height);

static void answer(const Input& in, std::vector<int>& out) {
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    time_launch([&] { launch_edges(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const auto at = [&](int dx, int dy) {
                const int column = std::clamp(x + dx, 0, in.width - 1);
                return int(in.samples[std::clamp(y + dy, 0, in.height - 1) * in.width + column]);
            };
            const int nw = at(-1, -1), n = at(0, -1), ne = at(1, -1), w = at(-1, 0);
            const int e = at(1, 0), sw = at(-1, 1), s = at(0, 1), se = at(1, 1);
            out[y * in.width + x] = std::max({0, ne + e + se - nw - w - sw, e + s + se - n - nw - w,
                                              sw + s + se - nw - n - ne, w + sw + s - n - ne - e});
        }
}

int main(int argc, char** argv) {
    return judge(
        argc, argv,
        {.answer = answer, .expected = expected, .counts = {{"global requests", 15, kPerRowWarp}}});
}
