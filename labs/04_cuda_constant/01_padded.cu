// SPDX-License-Identifier: MIT
// padded -- lab 03's padded with the filter in constant memory
// Source: ariano2023, 3.7.2.
// Idea: all threads of a warp need the same tap at the same time. Constant memory has its own
//     cache, which broadcasts one word to all 32 lanes, so the taps no longer use the L1 cache.
// Since lab 03's padded: the taps are a __constant__ array, which cudaMemcpyToSymbol fills, and the
//     kernel has one parameter less. Nothing else changes.
// Limit: the L1 cache, because each multiply-add still loads a sample from it.
// Alone: build/labs/04_cuda_constant/lab bench --variant padded --block 2,4,8,16,32 --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/04_cuda_constant/variants.hpp"

namespace convolab::cuda_constant {

static __constant__ float c_taps[kMaxConstantTaps];

template <class View>
static __global__ void convolve(const float* d_padded, float* d_out, View image) {
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
            for (int c = 0; c < C; ++c) sum[c] += c_taps[j * K + i] * d_row[i * C + c];
    for (int c = 0; c < C; ++c) d_out[image.out(x, y, c)] = rounded(sum[c], image.divisor);
}

const Variant padded = padded_variant<float>(
    "padded", "padded copy of floats, no test per tap; the grid covers the border",
    []<class View>(CudaVariant<float, View>& v) {
        v.taps_in(c_taps);
        const int border = 2 * v.view.radius;
        v.prepare(convolve<View>,
                  one_thread_each(v.job, v.view.width + border, v.view.height + border));
        v.set_launch([&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_constant
