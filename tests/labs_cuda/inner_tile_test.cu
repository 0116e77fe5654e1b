// SPDX-License-Identifier: MIT
// cazzola2024, Alg. 5, as printed (the program is right): it reads taps outside the tile from the
// global image with block-local coordinates, and includes both ends of the tile's interval.
#include "common/cuda/tile.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

/// inner_tile's kernel. relative: line 19 reads I(p_u, p_v); closed: line 15 has [0, blockDim.x].
template <bool relative, bool closed, class View>
__global__ void algorithm_5(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                            View image) {
    extern __shared__ float s_tile[];
    const int K = image.ksize, side = blockDim.x, end = closed ? side + 1 : side;
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
            const bool in_tile = 0 <= column && column < end && 0 <= row && row < end;
            const int left = relative ? 0 : x - tx, top = relative ? 0 : y - ty;
            sum += d_taps[j * K + i] * (in_tile ? s_tile[row * side + column]
                                                : image.sample(d_in, left + column, top + row, 0));
        }
    d_out[image.out(x, y, 0)] = to_sample<std::uint8_t>(sum, image.divisor);
}

template <bool relative, bool closed>
Image made(const Job& job) {
    return made_by<1>(job, []<class View>(CudaVariant<std::uint8_t, View>& v) {
        const int block = v.job.settings.block;
        // Reserves the row after the tile, which the closed interval reads.
        v.prepare(algorithm_5<relative, closed, View>,
                  one_block_per_tile(v.job.out_width(), v.job.out_height(), block, block,
                                     tile_bytes(v.job, block + 1)));
        v.set_launch([&v] {
            algorithm_5<relative, closed>
                <<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
        });
    });
}

TEST_CASE("block-local coordinates in the global image are right in the first block only") {
    const Filter filter = make_filter("gaussian", 5);
    const Image small = noise(16, 16, 1);
    const Job one_block = job_of(small, filter, 16);
    CHECK(against_reference(made<true, false>(one_block), one_block).identical());

    const Image large = noise(48, 33, 1);
    const Job many_blocks = job_of(large, filter, 16);
    CHECK_FALSE(against_reference(made<true, false>(many_blocks), many_blocks).identical());
    CHECK(check_variant(cuda_shared::inner_tile, one_block).identical());
    CHECK(check_variant(cuda_shared::inner_tile, many_blocks).identical());
}

TEST_CASE("a closed interval of the tile takes one column and one row too many from it") {
    const Image image = noise(48, 33, 1);
    const Job job = job_of(image, make_filter("gaussian", 5), 16);
    CHECK_FALSE(against_reference(made<false, true>(job), job).identical());
    CHECK(against_reference(made<false, false>(job), job).identical());
}

}  // namespace
}  // namespace convolab::defects
