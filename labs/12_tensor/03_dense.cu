// SPDX-License-Identifier: MIT
// dense -- the same product on tensor cores
// Source: new.
// Idea: one instruction of a warp (mma.m16n8k32) multiplies 16 x 32 by 32 x 8 bytes, 4,096
//     multiply-adds, and adds them to 32-bit sums. A warp computes 8 columns of 8 bytes, in two
//     rows. Each lane holds parts of both matrices in registers. The host prepares the filter's
//     parts (parts/lane_matrix.hpp). The image's parts are read from memory as they are, 8 bytes at
//     a time, because a sum may add its products in any order.
// Since toeplitz: one instruction replaces two loops.
// Limit: the instructions around the products. A lane loads 16 bytes of the filter for 8 bytes of
//     the image. With RGB, up to four columns of (K + 1) / 2 warps read each input byte.
// Alone: build/labs/12_tensor/lab bench --variant toeplitz,dense --ksize 3,5,9 --filter edge
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kColumns = 8;  // the columns of a warp

static __global__ void convolve(PaddedRows image, const Dense* d_matrix, int pairs, int steps) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int first = kColumns * blockIdx.x;  // column
    const int y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (y >= image.out_rows) return;  // the whole warp returns

    int4 sums = make_int4(image.start, image.start, image.start, image.start);
    for (int pair = 0; pair < pairs; ++pair) {
        const std::uint8_t* d_window = image.in_row(y + 2 * pair + t / 2) +
                                       kColumnBytes * (first + g) + 4 * Dense::kWords * (t % 2);
        for (int step = 0; step < steps; ++step) {
            const auto words = load_words<Dense::Words>(d_window + 8 * Dense::kWords * step);
            const auto part = Dense::load(d_matrix + (pair * steps + step) * 32 + lane);
            sums = part.times(words, sums);
        }
    }
    store_sums(image, sums, y, first);
}

const Variant dense = padded_rows_variant(
    "dense", "the matrix on tensor cores, both factors straight from memory", {3, 1, 4},
    [](PaddedConvolver& v) {
        const Dense* d_matrix = v.on_device(lane_matrix<Dense>(v.matrix));
        const int pairs = v.matrix.parts(), steps = steps_for(v.matrix.window(), Dense::kWords);
        const PaddedRows image = v.rows();
        const dim3 block(32, 4);
        require_capability(convolve, kTensorCores);
        v.prepare(convolve, {dim3(blocks_for(image.out_bytes, kColumns * kColumnBytes),
                                  blocks_for(image.out_rows, 2 * block.y)),
                             block});
        v.set_launch([&v, image, d_matrix, pairs, steps] {
            convolve<<<v.grid, v.block>>>(image, d_matrix, pairs, steps);
        });
    });

}  // namespace convolab::tensor_cores
