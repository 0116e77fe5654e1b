// SPDX-License-Identifier: MIT
// register_tile -- a thread computes four pixels of a column and keeps their sums in registers
// Source: new.
// Idea: four pixels of a column need nearly the same samples: K + 3 rows of K, instead of 4 K^2.
//     For each column of the filter, a thread goes down these rows. It loads a sample once and adds
//     it to four sums, each with the tap of another row. The last four taps are in registers, too.
//         loads of samples per output sample, K (K + 3) / 4 instead of K^2:
//         K = 3: 4.5 for 9   K = 5: 10 for 25   K = 7: 17.5 for 49   K = 9: 27 for 81
// Since coalesced: a thread computes four pixels, and loads a tap once for all channels. Blocks are
//     rectangles, so that a warp is a row of 32 pixels.
// Limit: instructions. Of the K (K + 3) multiply-adds per sample, 3 K use a tap of 0. A quarter of
//     the threads is too few to fill a GPU with a small picture.
// Alone: build/labs/03_cuda_global/lab bench --variant coalesced,register_tile --size 1080p
#include "common/cuda/variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

constexpr int kRows = 4;  // pixels per thread
constexpr dim3 kBlock(32, 8);

template <class View>
static __global__ void convolve(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                                View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * kRows;
    if (x >= image.out_width || y >= image.out_height) return;

    const int K = image.ksize;
    float sum[kRows][C] = {};
    for (int i = 0; i < K; ++i) {
        // tap[n] is the tap in row j - n of the filter, and 0 above and below the filter.
        float tap[kRows] = {};
#pragma unroll 4  // so that the loads of four rows are in flight together
        for (int j = 0; j < K + kRows - 1; ++j) {
            for (int n = kRows - 1; n > 0; --n) tap[n] = tap[n - 1];
            tap[0] = j < K ? d_taps[j * K + i] : 0;
            for (int c = 0; c < C; ++c) {
                const float sample =
                    image.sample(d_in, x + image.origin + i, y + image.origin + j, c);
                for (int n = 0; n < kRows; ++n) sum[n][c] += tap[n] * sample;
            }
        }
    }
    for (int n = 0; n < kRows && y + n < image.out_height; ++n)
        for (int c = 0; c < C; ++c)
            d_out[image.out(x, y + n, c)] = to_sample<std::uint8_t>(sum[n][c], image.divisor);
}

const Variant register_tile{
    .name = "register_tile",
    .idea = "four pixels of a column per thread, blocks of 32 x 8 threads",
    .make =
        [](const Job& job) {
            return with_channels(job, [&]<int C>() {
                return make_cuda_variant<std::uint8_t, C, true>(
                    job, []<class View>(CudaVariant<std::uint8_t, View>& v) {
                        v.prepare(convolve<View>,
                                  {dim3(blocks_for(v.job.out_width(), kBlock.x),
                                        blocks_for(v.job.out_height(), kBlock.y * kRows)),
                                   kBlock});
                        v.set_launch([&v] {
                            convolve<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
                        });
                    });
            });
        },
    .memory = cuda_memory};

}  // namespace convolab::cuda_global
