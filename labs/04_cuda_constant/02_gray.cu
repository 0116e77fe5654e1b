// SPDX-License-Identifier: MIT
// gray -- lab 03's gray with the filter in constant memory
// Source: chisci2024, GPU2DConvolution.
// Idea: as in padded, the constant cache broadcasts each tap to the whole warp. The image has one
//     channel of int32, and every tap is tested for the border.
// Since lab 03's gray: the taps are a __constant__ array. The compiler now unrolls the inner loop
//     in steps of 16, 8, 4 and 1 taps; with K = 5, the tests between the steps cost more than the
//     loads that are saved.
// Limit: instructions, because each tap needs a border test and the address of a sample.
// Alone: build/labs/04_cuda_constant/lab bench --variant gray --size 8192x8192 --ksize 3,5,7,9
#include "common/cuda/variant.hpp"
#include "labs/04_cuda_constant/variants.hpp"

namespace convolab::cuda_constant {

static __constant__ float c_taps[kMaxConstantTaps];

template <class View>
static __global__ void convolve(const std::int32_t* d_in, std::int32_t* d_out, View image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.out_width || y >= image.out_height) return;

    const int K = image.ksize;
    float sum = 0;
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i)
            sum += c_taps[j * K + i] *
                   image.sample(d_in, x + image.origin + i, y + image.origin + j, 0);
    d_out[image.out(x, y, 0)] = to_sample<std::int32_t>(sum, image.divisor);
}

const Variant gray = gray_variant(
    "gray", "one channel of int32, a test per tap",
    []<class View>(CudaVariant<std::int32_t, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<View>, one_thread_per_pixel(v.job));
        v.set_launch([&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_constant
