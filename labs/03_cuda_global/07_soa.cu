// SPDX-License-Identifier: MIT
// soa -- bytes, planar: a structure of arrays
// Source: delbimbo2024, 4.1.
// Idea: each channel is a separate plane, RRR...GGG...BBB... The threads of a warp read
//     consecutive bytes.
// Since aos: the two numbers (pixel, row) and the two index functions (in_plane, out_plane) change.
// Limit: instructions, as in aos. Because the L1 cache serves most loads, the layouts hardly
//     differ.
// Alone: build/labs/03_cuda_global/lab bench --variant aos,soa --size 4k
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

template <class View>
static __global__ void convolve(const std::uint8_t* d_padded, std::uint8_t* d_out,
                                const float* d_taps, View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.width || y >= image.height) return;

    const int K = image.ksize;
    const int pixel = 1, row = image.padded_width;  // samples from one to the next
    for (int c = 0; c < C; ++c) {
        const std::uint8_t* d_row = d_padded + image.in_plane(x, y, c);
        float sum = 0;
        for (int j = 0; j < K; ++j, d_row += row)
            for (int i = 0; i < K; ++i) sum += d_taps[j * K + i] * d_row[i * pixel];
        d_out[image.out_plane(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant soa = padded_variant<std::uint8_t>(
    "soa", "bytes, planar: a structure of arrays",
    []<class View>(CudaVariant<std::uint8_t, View>& v) {
        v.prepare(convolve<View>, one_thread_per_pixel(v.job));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
    },
    Layout::planar);

}  // namespace convolab::cuda_global
