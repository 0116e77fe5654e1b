// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// cazzola2024, Alg. 3 and 4: `x <= width && y <= height` computes one column and one row too many.
#include "labs/05_cuda_shared/filter_in_shared.cu"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

__global__ void one_too_many(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                             DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x > job.out_width || y > job.out_height) return;    // the defect: >= is meant
    if (y == job.out_height && x == job.out_width) return;  // past the row that the test adds
    float sum = 0;
    for (int j = 0; j < job.ksize; ++j)
        for (int i = 0; i < job.ksize; ++i)
            sum += d_taps[j * job.ksize + i] *
                   sample_at(d_in, job, x + job.origin + i, y + job.origin + j, 0);
    d_out[job.out_index(x, y, 0)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
}

/// The output with one more row behind it, which no kernel has any business in.
Image with_guard_row(Kernel<std::uint8_t>::Function function, const Job& job) {
    Image h_out(job.out_width(), job.out_height() + 1, 1);
    Kernel<std::uint8_t> kernel(job, stored(job, PixelType::uint8), std::move(h_out), function,
                                one_thread_each(job, job.out_width(), job.out_height()));
    return result_of(kernel);
}

TEST_CASE("bounds one row and column too many write behind the image") {
    const Image image = noise(21, 13, 1);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const Image result = with_guard_row(one_too_many, job);
    int overwritten = 0;
    for (int x = 0; x < 21; ++x) overwritten += result.value(x, 13, 0) != 0xA5;
    CHECK(overwritten > 0);
    for (const int ksize : {3, 5, 7, 9}) {
        const Job good = job_of(image, make_filter("box", ksize), 16);
        CHECK(check_variant(cuda_shared::filter_in_shared, good).identical());
    }
}

}  // namespace
}  // namespace convolab::defects
