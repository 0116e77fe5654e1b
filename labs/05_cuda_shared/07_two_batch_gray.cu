// SPDX-License-Identifier: MIT
// two_batch_gray -- two_batch_global with the filter in constant memory
// Source: chisci2024, GPU2DConvolutionTiling.
// Idea: the tile is the same, but the taps come from the constant cache.
// Since two_batch_global: the taps are in constant memory.
// Limit: instructions. Each multiply-add needs a load of the sample from shared memory.
// Alone: build/labs/05_cuda_shared/lab bench --variant two_batch_global,two_batch_gray --block 32
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

static __constant__ float c_taps[kMaxConstantTaps];

template <class View>
static __global__ void convolve(const std::int32_t* d_in, std::int32_t* d_out, View image) {
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
        for (int i = 0; i < K; ++i) sum += c_taps[j * K + i] * s_corner[j * side + i];
    d_out[image.out(x, y, 0)] = to_sample<std::int32_t>(sum, image.divisor);
}

const Variant two_batch_gray =
    gray_variant("two_batch_gray", "two_batch_global with the filter in constant memory",
                 []<class View>(CudaVariant<std::int32_t, View>& v) {
                     v.taps_in(c_taps);
                     v.prepare(convolve<View>, output_tile(v.job, 2));
                     v.set_launch([&v] {
                         convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view);
                     });
                 });

}  // namespace convolab::cuda_shared
