// SPDX-License-Identifier: MIT
// gray -- one channel of int32
// Source: chisci2024, GPU2DConvolution_kernel.
// Idea: a pixel is one sample, so the kernel has no loop over channels. This is the shortest kernel
//     of the lab. Samples are int, as in section 4.2 of the report.
// Since coalesced: one channel; 4 bytes per sample, of which three are zero.
// Limit: instructions, as in coalesced.
// Alone: build/labs/03_cuda_global/lab bench --variant gray --size 8192x8192 --ksize 3,5,7,9
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

template <class View>
static __global__ void convolve(const std::int32_t* d_in, std::int32_t* d_out, const float* d_taps,
                                View image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.out_width || y >= image.out_height) return;

    const int K = image.ksize;
    float sum = 0;
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i)
            sum += d_taps[j * K + i] *
                   image.sample(d_in, x + image.origin + i, y + image.origin + j, 0);
    d_out[image.out(x, y, 0)] = to_sample<std::int32_t>(sum, image.divisor);
}

const Variant gray =
    gray_variant("gray", "one channel of int32, a test per tap",
                 []<class View>(CudaVariant<std::int32_t, View>& v) {
                     v.prepare(convolve<View>, one_thread_per_pixel(v.job));
                     v.set_launch([&v] {
                         convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
                     });
                 });

}  // namespace convolab::cuda_global
