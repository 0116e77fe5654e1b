// SPDX-License-Identifier: MIT
// shared -- the windows of a block in shared memory
// Source: new.
// Idea: a block computes 256 bytes of 8 rows. It loads the input rows that they depend on into
//     shared memory, 16 bytes per thread. Then each of its 16 warps reads its part of the image
//     from there. A row begins 16 banks after the one before, so that lanes load 8 bytes each from
//     two rows without a conflict.
// Since dense: a block reads each byte from global memory, or a cache, once. Before, every window
//     and every pair of output rows that contains the byte read it again.
// Limit: a lane still loads 16 bytes of the filter for 8 bytes of the image. All warps wait at the
//     barrier for the rows, and compute nothing meanwhile.
// Alone: build/labs/12_tensor/lab bench --variant dense,shared --ksize 3,5,9 --filter edge
#include "labs/12_tensor/parts/lane_matrix.hpp"
#include "labs/12_tensor/variants.hpp"

namespace convolab::tensor_cores {

constexpr int kColumns = 8;                    // of a warp
constexpr int kSideBySide = 4, kOutPairs = 4;  // warps: along a row, and pairs of output rows
constexpr int kPitch = 320;               // 64 bytes more than the output, for windows of K = 9
constexpr int kRows = 2 * kOutPairs + 8;  // with K = 9

static __global__ void convolve(PaddedRows image, const Dense* d_matrix, int pairs, int steps) {
    __shared__ __align__(16) std::uint8_t s_rows[kRows * kPitch];
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int begin = kColumns * kSideBySide * blockIdx.x;  // column
    const int top = 2 * kOutPairs * blockIdx.y;
    const int rows = 2 * (kOutPairs + pairs - 1);
    for (int at = 16 * (32 * threadIdx.y + lane); at < rows * kPitch; at += 16 * 32 * blockDim.y)
        *reinterpret_cast<uint4*>(s_rows + at) = *reinterpret_cast<const uint4*>(
            image.in_row(top + at / kPitch) + kColumnBytes * begin + at % kPitch);
    __syncthreads();

    const int column = kColumns * (threadIdx.y % kSideBySide);  // the warp's first, in the block
    const int y = 2 * (threadIdx.y / kSideBySide);
    int4 sums = make_int4(image.start, image.start, image.start, image.start);
    for (int pair = 0; pair < pairs; ++pair) {
        const std::uint8_t* s_window = s_rows + (y + 2 * pair + t / 2) * kPitch +
                                       kColumnBytes * (column + g) + 4 * Dense::kWords * (t % 2);
        for (int step = 0; step < steps; ++step) {
            const auto words = load_words<Dense::Words>(s_window + 8 * Dense::kWords * step);
            const auto part = Dense::load(d_matrix + (pair * steps + step) * 32 + lane);
            sums = part.times(words, sums);
        }
    }
    store_sums(image, sums, top + y, begin + column);
}

const Variant shared = padded_rows_variant(
    "shared", "dense with the rows of a block in shared memory", {3, 1, 4}, [](PaddedConvolver& v) {
        const Dense* d_matrix = v.on_device(lane_matrix<Dense>(v.matrix));
        const int pairs = v.matrix.parts(), steps = steps_for(v.matrix.window(), Dense::kWords);
        const PaddedRows image = v.rows();
        require_capability(convolve, kTensorCores);
        v.prepare(convolve,
                  {dim3(blocks_for(image.out_bytes, kColumns * kColumnBytes * kSideBySide),
                        blocks_for(image.out_rows, 2 * kOutPairs)),
                   dim3(32, kSideBySide * kOutPairs)});
        v.set_launch([&v, image, d_matrix, pairs, steps] {
            convolve<<<v.grid, v.block>>>(image, d_matrix, pairs, steps);
        });
    });

}  // namespace convolab::tensor_cores
