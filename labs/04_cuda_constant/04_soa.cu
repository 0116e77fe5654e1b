// SPDX-License-Identifier: MIT
// soa -- lab 03's soa with the filter in constant memory
// Source: delbimbo2024, 4.2.
// Idea: as in aos, but each channel has its own plane, so a warp reads consecutive bytes.
// Since aos: the two numbers (pixel, row) and the two index functions (in_plane, out_plane) change.
// Limit: instructions, as in aos.
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
    const int pixel = 1, row = image.padded_width;  // samples from one to the next
    for (int c = 0; c < C; ++c) {
        const std::uint8_t* d_row = d_padded + image.in_plane(x, y, c);
        float sum = 0;
        for (int j = 0; j < K; ++j, d_row += row)
            for (int i = 0; i < K; ++i) sum += c_taps[j * K + i] * d_row[i * pixel];
        d_out[image.out_plane(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant soa = padded_variant<std::uint8_t>(
    "soa", "bytes, planar: a structure of arrays",
    []<class View>(CudaVariant<std::uint8_t, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<View>, one_thread_per_pixel(v.job));
        v.set_launch([&v] { convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.view); });
    },
    Layout::planar);

}  // namespace convolab::cuda_constant
