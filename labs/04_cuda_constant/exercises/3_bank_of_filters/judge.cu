// SPDX-License-Identifier: MIT
#include "common/exercise/device.hpp"
#include "common/exercise/judge.hpp"

using namespace convolab::exercise;

void launch_edges(const unsigned char* d_in, int* d_out, int width, int height);

static void answer(const Input& in, std::vector<int>& out, Stopwatch& watch) {
    changed_constants = {-1, 1};
    const OnDevice d_in(in.samples);
    const OnDevice d_out(out);
    time_launch(watch, [&] { launch_edges(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<int>& out) {
    const int a = as_counted({1})[0], b = as_counted({-1})[0];
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const auto at = [&](int dx, int dy) {
                const int column = std::clamp(x + dx, 0, in.width - 1);
                return int(in.samples[std::clamp(y + dy, 0, in.height - 1) * in.width + column]);
            };
            const int nw = at(-1, -1), n = at(0, -1), ne = at(1, -1), w = at(-1, 0);
            const int e = at(1, 0), sw = at(-1, 1), s = at(0, 1), se = at(1, 1);
            out[y * in.width + x] = std::max(
                {0, a * (ne + e + se) + b * (nw + w + sw), a * (e + s + se) + b * (n + nw + w),
                 a * (sw + s + se) + b * (nw + n + ne), a * (w + sw + s) + b * (n + ne + e)});
        }
}

int main(int argc, char** argv) {
    return judge<int>(argc, argv,
                      {.answer = answer,
                       .expected = expected,
                       .with =
                           [](const Input& in) {
                               return with_constants(in) + (is_counted ? " unless it is 0" : "");
                           },
                       .counts = {{"all kernels", "global requests", 15, 0, kPerRowWarp},
                                  {"edges", "global requests", kAny, 9, kPerRowWarp}}});
}
