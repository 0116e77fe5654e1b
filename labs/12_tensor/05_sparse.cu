// SPDX-License-Identifier: MIT
// sparse -- half of the matrix is known to be zero
// Source: new.
// Idea: with 3 channels, the taps of an output byte are 3 bytes apart. So of any 4 neighbouring
//     elements at most 2 are not zero. Tensor cores have an instruction for such a matrix (2:4
//     structured sparsity, mma.sp.m16n8k64). The lanes hold only these 2 elements and their places,
//     2 bits each, and one instruction takes 64 bytes of a column, 32 from each of two rows. This
//     is the whole window of K = 9. With 4 channels, 1 element of 4 is not zero. With one channel
//     all 4 may be taps, so `dense` is used instead.
// Since dense: half as many instructions for K = 5, 7 and 9; a lane loads 16 bytes of a row.
// Limit: the L1 cache: (K + 1) / 2 warps read each row of the image, and each reads the matrix.
// Alone: build/labs/12_tensor/lab bench --variant dense,sparse --ksize 3,5,9 --filter edge
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kColumns = 8;  // the columns of a warp

static __global__ void convolve(PaddedRows image, const Sparse* d_matrix, int pairs, int steps) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int first = kColumns * blockIdx.x;  // column
    const int y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (y >= image.out_rows) return;  // the whole warp returns

    int4 sums = make_int4(image.start, image.start, image.start, image.start);
    for (int pair = 0; pair < pairs; ++pair) {
        const std::uint8_t* d_window = image.in_row(y + 2 * pair + t / 2) +
                                       kColumnBytes * (first + g) + 4 * Sparse::kWords * (t % 2);
        for (int step = 0; step < steps; ++step) {
            const auto words = load_words<Sparse::Words>(d_window + 8 * Sparse::kWords * step);
            const auto part = Sparse::load(d_matrix + (pair * steps + step) * 32 + lane);
            sums = part.times(words, sums);
        }
    }
    store_sums(image, sums, y, first);
}

const Variant sparse = padded_rows_variant(
    "sparse", "the matrix without half of its zeros: 2:4 structured sparsity", {3, 4},
    [](PaddedConvolver& v) {
        const Sparse* d_matrix = v.on_device(lane_matrix<Sparse>(v.matrix));
        const int pairs = v.matrix.parts(), steps = steps_for(v.matrix.window(), Sparse::kWords);
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
