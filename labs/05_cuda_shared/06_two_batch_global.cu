// SPDX-License-Identifier: MIT
// two_batch_global -- two_batch on one channel, the filter in global memory
// Source: chisci2024, GPU2DConvolutionTiling_kernel.
// Idea: two_batch differs from lab 03 in two things, the tile and the filter in constant memory.
//     This variant separates them: it differs from lab 03's gray only in the tile, and from
//     two_batch_gray only in the place of the filter.
// Since two_batch: the image has one channel of int32, and the taps come from global memory.
// Limit: instructions. Each multiply-add needs a load of the sample from shared memory, and a load
//     of the tap through the L1 cache.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch_global,two_batch_gray --block 32
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

template <class View>
static __global__ void convolve(const std::int32_t* d_in, std::int32_t* d_out, const float* d_taps,
                                View image) {
    extern __shared__ float s_tile[];
    const int K = image.ksize, B = blockDim.x, side = B + K - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * B + tx;  // of the output
    const int y = blockIdx.y * B + ty;
    const int left = x - tx + image.origin;  // the tile begins p before the block's first pixel
    const int top = y - ty + image.origin;

    const int cell = ty * B + tx;
    load_cell(s_tile, side, cell, left, top, d_in, image);          // round 1: B^2 cells
    load_cell(s_tile, side, cell + B * B, left, top, d_in, image);  // round 2: the rest
    __syncthreads();

    if (x >= image.out_width || y >= image.out_height) return;
    const float* s_corner = s_tile + ty * side + tx;
    float sum = 0;
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i) sum += d_taps[j * K + i] * s_corner[j * side + i];
    d_out[image.out(x, y, 0)] = to_sample<std::int32_t>(sum, image.divisor);
}

const Variant two_batch_global = gray_variant(
    "two_batch_global", "two_batch on one channel of int32, filter in global memory",
    []<class View>(CudaVariant<std::int32_t, View>& v) {
        v.prepare(convolve<View>, output_tile(v.job, 2));
        v.set_launch([&v] {
            convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
        });
    });

}  // namespace convolab::cuda_shared
