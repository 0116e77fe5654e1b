// SPDX-License-Identifier: MIT
// input_tile -- the block is the tile that is loaded
// Source: ariano2023, 3.7.3, version 1.
// Idea: neighbouring outputs share most of their inputs. B x B threads load B x B pixels of the
//     padded image into shared memory, one pixel each. Then (B - 2p)^2 of them find all their taps
//     there and compute. Neighbouring blocks overlap by 2p pixels.
// Since lab 04's padded: a global load per pixel of the tile replaces one per tap.
// Limit: instructions, because threads that only load are idle afterwards: with B = 8 and K = 5,
//     16 of 64 threads compute. B must be larger than 2p. The C channels are interleaved, so
//     neighbouring threads read words that are C apart. With 3 channels, this causes no bank
//     conflicts, because 3 and 32 have no common factor; with 4, four threads share a bank.
// Alone: build/labs/05_cuda_shared/lab bench --variant input_tile --block 8,16,32 --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/05_cuda_shared/variants.hpp"

namespace convolab::cuda_shared {

static __constant__ float c_taps[kMaxConstantTaps];

template <class View>
static __global__ void convolve(const float* d_padded, float* d_out, View image) {
    constexpr int C = View::channels;
    extern __shared__ float s_tile[];  // B x B pixels, interleaved
    const int side = blockDim.x;
    const int inner = side - 2 * image.radius;
    const int tx = threadIdx.x, ty = threadIdx.y;
    // Thread (tx, ty) loads pixel (x, y) of the padded image. That is the corner of the filter for
    // output pixel (x, y), which the same thread computes.
    const int x = blockIdx.x * inner + tx;
    const int y = blockIdx.y * inner + ty;

    float* s_corner = s_tile + (ty * side + tx) * C;
    if (x < image.padded_width && y < image.padded_height)
        for (int c = 0; c < C; ++c) s_corner[c] = d_padded[image.in(x, y, c)];
    __syncthreads();

    if (tx >= inner || ty >= inner || x >= image.width || y >= image.height) return;
    const int K = image.ksize;
    float sum[C] = {};
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i)
            for (int c = 0; c < C; ++c)
                sum[c] += c_taps[j * K + i] * s_corner[(j * side + i) * C + c];
    for (int c = 0; c < C; ++c) d_out[image.out(x, y, c)] = rounded(sum[c], image.divisor);
}

static LaunchShape input_tile_shape(const Job& job) {
    const int block = job.settings.block;
    const int halo = 2 * job.filter.radius();
    const int inner = block - halo;
    if (inner < 1)
        throw Unsupported("A tile of " + std::to_string(block) + " x " + std::to_string(block) +
                          " leaves no thread to compute with a filter of side " +
                          std::to_string(job.filter.ksize()) +
                          (halo < 32 ? "; the block must be larger than " + std::to_string(halo)
                                     : "; use a smaller filter") +
                          ".");
    return one_block_per_tile(job.out_width(), job.out_height(), inner, block,
                              tile_bytes(job, block));
}

const Variant input_tile = padded_variant<float>(
    "input_tile", "block = loaded tile; the inner (B - 2p)^2 threads compute",
    []<class View>(CudaVariant<float, View>& v) {
        v.taps_in(c_taps);
        v.prepare(convolve<View>, input_tile_shape(v.job));
        v.set_launch(
            [&v] { convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view); });
    });

}  // namespace convolab::cuda_shared
