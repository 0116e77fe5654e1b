// SPDX-License-Identifier: MIT
// unrolled -- aos with K as a template parameter
// Source: new.
// Idea: if the compiler knows K, it unrolls both loops over the taps completely. The address of
//     each tap is then a constant inside an instruction, and so is the offset of each sample within
//     its row.
// Since aos: K is a template parameter instead of a kernel argument. The loops disappear, and no
//     tap needs a separate load: the multiply-add takes it from constant memory, or from a register
//     that the warp shares.
// Limit: the L1 cache, which loads K^2 samples of a byte for each output sample.
// Alone: build/labs/04_cuda_constant/lab bench --variant aos,unrolled --ksize 3,5,7,9 --size 4k
#include "common/cuda/variant.hpp"
#include "labs/04_cuda_constant/variants.hpp"

namespace convolab::cuda_constant {

static __constant__ float c_taps[kMaxConstantTaps];

template <int K, class View>
static __global__ void convolve(const std::uint8_t* d_padded, std::uint8_t* d_out, View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.width || y >= image.height) return;

    const int row = image.padded_width * C;
    for (int c = 0; c < C; ++c) {
        const std::uint8_t* d_corner = d_padded + image.in(x, y, c);
        float sum = 0;
#pragma unroll
        for (int j = 0; j < K; ++j)
#pragma unroll
            for (int i = 0; i < K; ++i) sum += c_taps[j * K + i] * d_corner[j * row + i * C];
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant unrolled = padded_variant<std::uint8_t>(
    "unrolled", "K a template parameter: the compiler unrolls the loops over the taps",
    []<class View>(CudaVariant<std::uint8_t, View>& v) {
        v.taps_in(c_taps);
        with_ksize<1, 3, 5, 7, 9, 11, 13, 15>(v.job, [&]<int K>() {
            v.prepare(convolve<K, View>, one_thread_per_pixel(v.job));
            v.set_launch([&v] { convolve<K><<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.view); });
        });
    });

}  // namespace convolab::cuda_constant
