// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// ariano2023, delbimbo2024: a tile loaded in two rounds. The origin of the tile has to move by -p,
// and two rounds have to be enough.
#include "labs/05_cuda_shared/two_batch.cu"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::cuda_shared {
extern const Variant n_batch;
}

namespace convolab::defects {
namespace {

/// two_batch's kernel; origin: where the tile begins, before the block's first pixel.
__device__ void load_twice_and_filter(const std::uint8_t* d_in, std::uint8_t* d_out,
                                      const float* d_taps, const DeviceJob& job, int origin) {
    float* s_planes = convolab::shared_floats();
    const int block = static_cast<int>(blockDim.x);
    const int side = block + job.ksize - 1;
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    const int first_x = static_cast<int>(blockIdx.x) * block;
    const int first_y = static_cast<int>(blockIdx.y) * block;
    const int x = first_x + static_cast<int>(threadIdx.x);
    const int y = first_y + static_cast<int>(threadIdx.y);

    // What a kernel before this one may have left in shared memory.
    for (int i = thread; i < side * side * job.channels; i += block * block) s_planes[i] = 1e4F;
    __syncthreads();
    for (int round = 0; round < 2; ++round)
        convolab::load_cell(s_planes, side, thread + round * block * block, first_x + origin,
                            first_y + origin, d_in, job);
    __syncthreads();

    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += d_taps[j * job.ksize + i] *
                       s_planes[c * side * side + (static_cast<int>(threadIdx.y) + j) * side +
                                static_cast<int>(threadIdx.x) + i];
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

__global__ void origin_not_moved(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                                 DeviceJob job) {
    load_twice_and_filter(d_in, d_out, d_taps, job, 0);  // the defect: it is -p
}

__global__ void only_two_rounds(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                                DeviceJob job) {
    load_twice_and_filter(d_in, d_out, d_taps, job, job.origin);  // the defect is its launch
}

Image defective(Kernel<std::uint8_t>::Function function, const Job& job) {
    return bytes_by(function, job, convolab::output_tile(job, 0));
}

TEST_CASE("a tile whose origin is not moved by -p shifts the picture by (p, p)") {
    const Image image = noise(53, 40);
    const Job job = job_of(image, make_filter("gaussian", 5), 16);
    const Image shifted = defective(origin_not_moved, job);
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
    CHECK_FALSE(against_reference(defective(only_two_rounds, job), job).identical());
    CHECK_THROWS_AS(cuda_shared::two_batch.make(job), Unsupported);
    CHECK(check_variant(cuda_shared::n_batch, job).identical());
}

TEST_CASE("two rounds of 16x16 threads cannot load the tile of 9x9; n_batch loops") {
    const Image image = noise(50, 33);
    const Job nine = job_of(image, make_filter("gaussian", 9), 16);
    CHECK_FALSE(against_reference(defective(only_two_rounds, nine), nine).identical());
    CHECK_THROWS_AS(cuda_shared::two_batch.make(nine), Unsupported);
    CHECK(check_variant(cuda_shared::n_batch, nine).identical());

    const Job seven = job_of(image, make_filter("gaussian", 7), 16);  // 22^2 = 484 of 512
    CHECK(against_reference(defective(only_two_rounds, seven), seven).identical());
    CHECK(check_variant(cuda_shared::two_batch, seven).identical());
}

}  // namespace
}  // namespace convolab::defects
