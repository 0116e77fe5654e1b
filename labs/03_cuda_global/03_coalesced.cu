// SPDX-License-Identifier: MIT
// coalesced -- naive with rows and columns exchanged
// Source: new.
// Idea: neighbouring threads read neighbouring pixels. So the loads of a warp fall into a few
//     sectors of 32 bytes, and each sector is fetched once.
// Since naive: x comes from threadIdx.x. Nothing else changes.
// Limit: instructions. For one multiply-add, a thread loads a tap and a sample, tests the border,
//     computes an address and converts a byte to a float.
// Alone: build/labs/03_cuda_global/lab bench --variant naive,coalesced --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

template <class T, class View>
static __global__ void convolve(const T* d_in, T* d_out, const float* d_taps, View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.out_width || y >= image.out_height) return;

    const int K = image.ksize;
    for (int c = 0; c < C; ++c) {
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i)
                sum += d_taps[j * K + i] *
                       image.sample(d_in, x + image.origin + i, y + image.origin + j, c);
        d_out[image.out(x, y, c)] = to_sample<T>(sum, image.divisor);
    }
}

const Variant coalesced = cuda_variant<std::uint8_t, float>(
    "coalesced", "one thread per pixel, a test per tap; neighbouring threads are in one row",
    []<class T, class View>(CudaVariant<T, View>& v) {
        v.prepare(convolve<T, View>, one_thread_per_pixel(v.job));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
    });

}  // namespace convolab::cuda_global
