// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// cazzola2024, Alg. 5: taps outside the tile are read from the global image with block-local
// coordinates. Right for the first block, and so for every image of one block.
#include "labs/05_cuda_shared/inner_tile.cu"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

__global__ void block_local(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                            DeviceJob job) {
    float* s_tile = convolab::shared_floats();
    const int side = static_cast<int>(blockDim.x);
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * side + tx;
    const int y = static_cast<int>(blockIdx.y) * side + ty;
    convolab::load_cell(s_tile, side, ty * side + tx, x - tx, y - ty, d_in, job);
    __syncthreads();

    if (x >= job.out_width || y >= job.out_height) return;
    float sum = 0;
    for (int j = 0; j < job.ksize; ++j)
        for (int i = 0; i < job.ksize; ++i) {
            const int cell_x = tx + i - job.radius;
            const int cell_y = ty + j - job.radius;
            const bool in_tile = 0 <= cell_x && cell_x < side && 0 <= cell_y && cell_y < side;
            sum +=
                d_taps[j * job.ksize + i] *
                (in_tile ? s_tile[cell_y * side + cell_x]
                         : sample_at(d_in, job, cell_x, cell_y, 0));  // the defect: x + .., y + ..
        }
    d_out[job.out_index(x, y, 0)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
}

Image defective(const Job& job) {
    return bytes_by(block_local, job, cuda_shared::inner_tile_shape(job));
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
