// SPDX-License-Identifier: MIT
// padded -- the border is stored, so no tap needs a test
// Source: ariano2023, 3.7.1.
// Idea: the CPU copies the image into a larger one of floats, with p pixels of border on each side.
//     The grid covers the padded image; threads on its border return at once. Each tap is loaded
//     once and used for all channels of the pixel.
// Since coalesced: a tap needs no test and no conversion. Samples are floats, 4 bytes each in the
//     input and in the output. The CPU pads before the clock starts, so the times do not include
//     this.
// Limit: loads. Each multiply-add needs a sample, and only 3 channels share a tap. With B = 2, a
//     block has 4 threads, so 28 of the 32 lanes of its warp are idle. A multiprocessor holds at
//     most 32 blocks, and so only half of the warps that it has room for.
// Alone: build/labs/03_cuda_global/lab bench --variant padded --block 2,4,8,16,32 --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

template <class View>
static __global__ void convolve(const float* d_padded, float* d_out, const float* d_taps,
                                View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x - image.radius;  // of the output
    const int y = blockIdx.y * blockDim.y + threadIdx.y - image.radius;
    if (x < 0 || x >= image.width || y < 0 || y >= image.height) return;

    const int K = image.ksize;
    const int row = image.padded_width * C;
    const float* d_row = d_padded + image.in(x, y, 0);
    float sum[C] = {};
    for (int j = 0; j < K; ++j, d_row += row)
        for (int i = 0; i < K; ++i)
            for (int c = 0; c < C; ++c) sum[c] += d_taps[j * K + i] * d_row[i * C + c];
    for (int c = 0; c < C; ++c) d_out[image.out(x, y, c)] = rounded(sum[c], image.divisor);
}

const Variant padded = padded_variant<float>(
    "padded", "padded copy of floats, no test per tap; the grid covers the border",
    []<class View>(CudaVariant<float, View>& v) {
        const int border = 2 * v.view.radius;
        v.prepare(convolve<View>,
                  one_thread_each(v.job, v.view.width + border, v.view.height + border));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
    });

}  // namespace convolab::cuda_global
