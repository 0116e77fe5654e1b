// SPDX-License-Identifier: MIT
// fused -- both passes in one kernel, the row sums in shared memory
// Source: new.
// Idea: the row sums never leave the multiprocessor, so the kernel reads one byte and writes one
//     byte per sample.
//         samples: (B + K - 1)^2  --along-->  row sums: B x (B + K - 1)  --down-->  output: B x B
// Since two_pass_tile: one launch, the square tile of lab 05 (loaded as in n_batch), and a second
//     barrier. Two blocks compute each row sum of the halo, so the first pass does (B + K - 1) / B
//     times as much work: 1.25 times with B = 16 and K = 5.
// Limit: instructions. A sample takes its share of the loading (index of the cell, border rule,
//     conversion), 2K loads from shared memory and 2K multiply-adds. Each instruction works on one
//     sample per thread, although a register has room for four.
// Alone: build/labs/07_separable/lab bench --variant fused --block 8,16,32 --size 4k
#include "common/cuda/tile.hpp"
#include "common/cuda/variant.hpp"
#include "labs/07_separable/parts/passes.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

template <class View>
static __global__ void convolve(const std::uint8_t* d_in, std::uint8_t* d_out, View image,
                                LineTaps taps) {
    constexpr int C = View::channels;
    extern __shared__ float s_planes[];  // [channel][side][side]
    const int K = image.ksize, B = blockDim.x, side = B + K - 1;
    float* s_sums = s_planes + side * side * C;  // [channel][side][B]
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * B + tx;  // of the output
    const int y = blockIdx.y * B + ty;
    for (int cell = ty * B + tx; cell < side * side; cell += B * B)
        load_cell(s_planes, side, cell, x - tx + image.origin, y - ty + image.origin, d_in, image);
    __syncthreads();

    for (int row = ty; row < side; row += B)
        for (int c = 0; c < C; ++c) {
            const float* s_row = s_planes + (c * side + row) * side + tx;
            float sum = 0;
            for (int i = 0; i < K; ++i) sum += taps.row[i] * s_row[i];
            s_sums[(c * side + row) * B + tx] = sum;
        }
    __syncthreads();

    if (x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < C; ++c) {
        const float* s_column = s_sums + (c * side + ty) * B + tx;
        float sum = 0;
        for (int j = 0; j < K; ++j) sum += taps.column[j] * s_column[j * B];
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

const Variant fused = cuda_variant<std::uint8_t>(
    "fused", "both passes in one kernel, the row sums in shared memory",
    []<class T, class View>(CudaVariant<T, View>& v) {
        LaunchShape shape = output_tile(v.job, 0);
        const int B = v.job.settings.block, side = B + v.view.ksize - 1;
        shape.shared_bytes += side * B * View::channels * sizeof(float);
        v.prepare(convolve<View>, shape);
        v.set_launch([&v, taps = line_taps(v.job.filter)] {
            convolve<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.view, taps);
        });
    });

}  // namespace convolab::separable
