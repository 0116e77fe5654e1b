// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// cazzola2024, Alg. 5: taps outside the tile are read from the global image with block-local
// coordinates. Right for the first block, and so for every image of one block.
#include "common/cuda/tile.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::cuda_shared {
extern const Variant inner_tile;
}

namespace convolab::defects {
namespace {

template <class View>
__global__ void block_local(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                            View image) {
    extern __shared__ float s_tile[];
    const int K = image.ksize, side = blockDim.x;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * side + tx;
    const int y = blockIdx.y * side + ty;
    load_pixel(s_tile + ty * side + tx, side * side, x, y, d_in, image);
    __syncthreads();

    if (x >= image.out_width || y >= image.out_height) return;
    float sum = 0;
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i) {
            const int column = tx + i - image.radius, row = ty + j - image.radius;
            const bool in_tile = 0 <= column && column < side && 0 <= row && row < side;
            sum += d_taps[j * K + i] *
                   (in_tile ? s_tile[row * side + column]
                            : image.sample(d_in, column, row, 0));  // the defect: x + .., y + ..
        }
    d_out[image.out(x, y, 0)] = to_sample<std::uint8_t>(sum, image.divisor);
}

Image defective(const Job& job) {
    return made_by<1>(job, []<class View>(CudaVariant<std::uint8_t, View>& v) {
        const int block = v.job.settings.block;
        v.prepare(block_local<View>, one_block_per_tile(v.job.out_width(), v.job.out_height(),
                                                        block, block, tile_bytes(v.job, block)));
        v.launches([&v] {
            block_local<<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.d_taps(),
                                                             v.view);
        });
    });
}

TEST_CASE("block-local coordinates in the global image are right in the first block only") {
    const Filter filter = make_filter("gaussian", 5);
    const Image small = noise(16, 16, 1);
    const Job one_block = job_of(small, filter, 16);
    CHECK(against_reference(defective(one_block), one_block).identical());

    const Image large = noise(48, 33, 1);
    const Job many_blocks = job_of(large, filter, 16);
    CHECK_FALSE(against_reference(defective(many_blocks), many_blocks).identical());
    CHECK(check_variant(cuda_shared::inner_tile, one_block).identical());
    CHECK(check_variant(cuda_shared::inner_tile, many_blocks).identical());
}

}  // namespace
}  // namespace convolab::defects
