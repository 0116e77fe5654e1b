// SPDX-License-Identifier: MIT
// ariano2023 (3.7.3), delbimbo2024 (4.3): a tile loaded in two rounds. The tile's origin must move
// by -p, and two rounds must be enough.
#include "common/cuda/tile.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

/// two_batch's kernel. moves: whether the tile begins p before the block's first pixel.
template <bool moves, class View>
__global__ void load_twice(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                           View image) {
    constexpr int C = View::channels;
    extern __shared__ float s_planes[];
    const int K = image.ksize, B = blockDim.x, side = B + K - 1;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * B + tx;
    const int y = blockIdx.y * B + ty;
    const int origin = moves ? image.origin : 0;

    // Simulates what an earlier kernel may have left in shared memory.
    for (int i = ty * B + tx; i < side * side * C; i += B * B) s_planes[i] = 1e4F;
    __syncthreads();
    for (int round = 0; round < 2; ++round)
        load_cell(s_planes, side, ty * B + tx + round * B * B, x - tx + origin, y - ty + origin,
                  d_in, image);
    __syncthreads();

    if (x >= image.out_width || y >= image.out_height) return;
    for (int c = 0; c < C; ++c) {
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i)
                sum += d_taps[j * K + i] * s_planes[c * side * side + (ty + j) * side + tx + i];
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

template <bool moves>
Image loaded_twice(const Job& job) {
    return made_by<3>(job, []<class View>(CudaVariant<std::uint8_t, View>& v) {
        v.prepare(load_twice<moves, View>, output_tile(v.job, 0));
        v.set_launch([&v] {
            load_twice<moves>
                <<<v.grid, v.block, v.shared_bytes>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
        });
    });
}

Image origin_not_moved(const Job& job) { return loaded_twice<false>(job); }  // the defect: -p

Image only_two_rounds(const Job& job) { return loaded_twice<true>(job); }  // its launch is

TEST_CASE("a tile whose origin is not moved by -p shifts the picture by (p, p)") {
    const Image image = noise(53, 40);
    const Job job = job_of(image, make_filter("gaussian", 5), 16);
    const Image shifted = origin_not_moved(job);
    CHECK_FALSE(against_reference(shifted, job).identical());

    const Image right = reference_convolution(job);
    const auto part = [](const Image& of, int from) {
        return crop(of, from, from, 53 - 2, 40 - 2);
    };
    CHECK(compare(part(shifted, 0), part(right, 2)).identical());
    CHECK(check_variant(cuda_shared::two_batch, job).identical());
}

TEST_CASE("two rounds of 8x8 threads load 128 of the 144 pixels that 5x5 needs") {
    const Image image = noise(40, 24);
    const Job job = job_of(image, make_filter("box", 5), 8);
    CHECK_FALSE(against_reference(only_two_rounds(job), job).identical());
    CHECK_THROWS_AS(cuda_shared::two_batch.make(job), Unsupported);
    CHECK(check_variant(cuda_shared::n_batch, job).identical());
}

TEST_CASE("two rounds of 16x16 threads cannot load the tile of 9x9; n_batch loops") {
    const Image image = noise(50, 33);
    const Job nine = job_of(image, make_filter("gaussian", 9), 16);
    CHECK_FALSE(against_reference(only_two_rounds(nine), nine).identical());
    CHECK_THROWS_AS(cuda_shared::two_batch.make(nine), Unsupported);
    CHECK(check_variant(cuda_shared::n_batch, nine).identical());

    const Job seven = job_of(image, make_filter("gaussian", 7), 16);  // 22^2 = 484 of 512
    CHECK(against_reference(only_two_rounds(seven), seven).identical());
    CHECK(check_variant(cuda_shared::two_batch, seven).identical());
}

}  // namespace
}  // namespace convolab::defects
