// SPDX-License-Identifier: MIT
// naive -- one thread computes one pixel
// Source: cazzola2024, Alg. 2.
// Idea: the loops over rows and columns become a grid of threads. Each thread runs over the K x K
//     taps, and image.sample() (common/cuda/view.hpp) tests for each whether its sample lies inside
//     the image. image.origin is -p (0 with border valid), because the first tap of an output pixel
//     lies p pixels above it and to its left.
// Since plain: a test per tap replaces the border that the host added. Memory is allocated and
//     filled before the clock starts. The threads are mapped to the pixels the other way round.
// Limit: uncoalesced loads. The row comes from threadIdx.x, so the threads of a warp read from B
//     different rows (32 if B = 32), each of them in another cache line.
// Alone: build/labs/03_cuda_global/lab bench --variant naive --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

template <class T, class View>
static __global__ void convolve(const T* d_in, T* d_out, const float* d_taps, View image) {
    constexpr int C = View::channels;
    const int y = blockIdx.x * blockDim.x + threadIdx.x;  // exchanged: see Limit
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
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

const Variant naive = cuda_variant<std::uint8_t, float>(
    "naive", "one thread per pixel, a test per tap; the threads of a warp are in different rows",
    []<class T, class View>(CudaVariant<T, View>& v) {
        v.prepare(convolve<T, View>, one_thread_each(v.job, v.job.out_height(), v.job.out_width()));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
    });

}  // namespace convolab::cuda_global
