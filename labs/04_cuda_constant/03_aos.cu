// SPDX-License-Identifier: MIT
// aos -- lab 03's aos with the filter in constant memory
// Source: delbimbo2024, 4.2.
// Idea: as in padded, the constant cache broadcasts each tap to the whole warp. The samples are
//     interleaved bytes.
// Since lab 03's aos: the taps are a __constant__ array.
// Limit: instructions. Each multiply-add needs a load of the tap from the constant cache, a load of
//     the sample, its conversion to float, and a share of the loop.
// Alone: build/labs/04_cuda_constant/lab bench --variant aos,soa --size 4k
#include "common/cuda/variant.hpp"
#include "labs/04_cuda_constant/variants.hpp"

namespace convolab::cuda_constant {

static __constant__ float c_taps[kMaxConstantTaps];

template <class View>
static __global__ void convolve(const std::uint8_t* d_padded, std::uint8_t* d_out, View image) {
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
            for (int i = 0; i < K; ++i) sum += c_taps[j * K + i] * d_row[i * pixel];
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant aos = padded_variant<std::uint8_t>(
    "aos", "bytes, interleaved: an array of structures",
    []<class View>(CudaVariant<std::uint8_t, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<View>, one_thread_per_pixel(v.job));
        v.set_launch([&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.view); });
    },
    Layout::interleaved);

}  // namespace convolab::cuda_constant
