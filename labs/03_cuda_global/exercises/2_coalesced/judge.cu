// SPDX-License-Identifier: MIT
// Compares every byte. Fails above 3 sectors per request or 6 global requests for each 32 pixels of
// a row; on a GPU below 2 times the speed of the given code.
#include "labs/exercise/device.hpp"

using namespace convolab::exercise;

void launch_smooth_down(const unsigned char* d_in, unsigned char* d_out, int width, int height);

static void answer(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_in(in.samples), d_out(out);
    time_launch([&] { launch_smooth_down(d_in.data(), d_out.data(), in.width, in.height); });
    d_out.copy_to(out);
}

static void expected(const Input& in, std::vector<unsigned char>& out) {
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const int above = std::max(y - 1, 0), below = std::min(y + 1, in.height - 1);
            out[y * in.width + x] =
                (in.samples[above * in.width + x] + 2 * in.samples[y * in.width + x] +
                 in.samples[below * in.width + x]) /
                4;
        }
}

/// The starter, for its time on a GPU.
static __global__ void smooth_down_across_rows(const unsigned char* d_in, unsigned char* d_out,
                                               int width, int height) {
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width || y >= height) return;
    const int above = max(y - 1, 0), below = min(y + 1, height - 1);
    const int sum = d_in[above * width + x] + 2 * d_in[y * width + x] + d_in[below * width + x];
    d_out[y * width + x] = sum / 4;
}

static void baseline(const Input& in, std::vector<unsigned char>& out) {
    const OnDevice d_in(in.samples), d_out(out);
    const dim3 block(32, 8), grid((in.height + 31) / 32, (in.width + 7) / 8);
    time_launch([&] {
        smooth_down_across_rows<<<grid, block>>>(d_in.data(), d_out.data(), in.width, in.height);
    });
    d_out.copy_to(out);
}

static Size timed(Draw& draw) { return {drawn_from(3800, 99, draw), drawn_from(2100, 99, draw)}; }

int main(int argc, char** argv) {
    return judge(argc, argv,
                 {.answer = answer,
                  .expected = expected,
                  .baseline = baseline,
                  .times_as_fast = 2,
                  .timed = timed,
                  .counts = {{"sectors per request", 3}, {"global requests", 6, kPerRowWarp}}});
}
