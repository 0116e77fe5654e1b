// SPDX-License-Identifier: MIT
// filter_in_shared -- a thread for each pixel of tile and halo; the filter in shared memory
// Source: cazzola2024, Alg. 3.
// Idea: (B + 2p)^2 threads load one pixel each, and B x B of them compute. Thread (0, 0) also
//     copies the filter to shared memory; the other threads wait for it at the barrier.
// Since input_tile: the block grows with the filter, so the output tile is B x B for every K. The
//     threads apply the border rule while they load, so the kernel needs no padded copy. Each
//     channel has its own plane.
// Limit: instructions, because the threads of the halo are idle after loading, and each channel
//     loads the taps again. With small pictures, one thread copies the taps while all others wait.
// Alone: build/labs/05_cuda_shared/lab bench --variant filter_in_shared,filter_in_constant
//     --size 4k
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

template <class T, class View>
static __global__ void convolve(const T* d_in, T* d_out, const float* d_taps, View image) {
    constexpr int C = View::channels;
    extern __shared__ float s_taps[];  // K x K taps, then a plane per channel
    const int K = image.ksize;
    float* s_planes = s_taps + K * K;
    const int side = blockDim.x, tile = side - 2 * image.radius;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int left = blockIdx.x * tile, top = blockIdx.y * tile;  // of the output

    if (tx == 0 && ty == 0)
        for (int tap = 0; tap < K * K; ++tap) s_taps[tap] = d_taps[tap];
    load_pixel(s_planes + ty * side + tx, side * side, left + tx + image.origin,
               top + ty + image.origin, d_in, image);
    __syncthreads();

    const int x = left + tx, y = top + ty;
    if (tx >= tile || ty >= tile || x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < C; ++c) {
        const float* s_corner = s_planes + c * side * side + ty * side + tx;
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i) sum += s_taps[j * K + i] * s_corner[j * side + i];
        d_out[image.out(x, y, c)] = to_sample<T>(sum, image.divisor);
    }
}

const Variant filter_in_shared = cuda_variant<std::uint8_t, float>(
    "filter_in_shared", "a thread for each pixel of tile and halo, filter in shared memory",
    []<class T, class View>(CudaVariant<T, View>& v) {
        const int K = v.view.ksize;
        v.prepare(convolve<T, View>, tile_with_halo(v.job, K * K * sizeof(float)));
        v.set_launch([&v] {
            convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
        });
    });

}  // namespace convolab::cuda_shared
