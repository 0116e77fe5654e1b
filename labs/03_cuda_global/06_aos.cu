// SPDX-License-Identifier: MIT
// aos -- bytes, interleaved: an array of structures
// Source: delbimbo2024, 4.1.
// Idea: the samples of a pixel are neighbours, RGBRGB... Only two numbers and two index functions
//     depend on this layout; 07_soa.cu changes them. Samples are bytes, and the CPU pads them.
// Since padded: bytes instead of floats. The kernel filters channel after channel, as the report
//     does.
// Limit: instructions. Each multiply-add needs a tap, a sample and a conversion to float. The
//     samples of one channel are 3 bytes apart, so a warp touches more sectors than with planes,
//     but the other two channels then find these sectors in the L1 cache.
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
    const int pixel = C, row = image.padded_width * C;  // samples from one to the next
    for (int c = 0; c < C; ++c) {
        const std::uint8_t* d_row = d_padded + image.in(x, y, c);
        float sum = 0;
        for (int j = 0; j < K; ++j, d_row += row)
            for (int i = 0; i < K; ++i) sum += d_taps[j * K + i] * d_row[i * pixel];
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant aos = padded_variant<std::uint8_t>(
    "aos", "bytes, interleaved: an array of structures",
    []<class View>(CudaVariant<std::uint8_t, View>& v) {
        v.prepare(convolve<View>, one_thread_per_pixel(v.job));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
    },
    Layout::interleaved);

}  // namespace convolab::cuda_global
