// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// delbimbo2024: the index of a pixel is computed with the filter's width where the image's is
// meant.
#include "labs/03_cuda_global/aos.cu"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

__global__ void filters_width(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                              DeviceJob job) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= job.out_width || y >= job.out_height) return;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i) {
                const int column = job.column(x + job.origin + i);
                const int row = job.row(y + job.origin + j);
                const int pixel = row * job.ksize + column;  // the defect: job.width
                sum +=
                    d_taps[j * job.ksize + i] * static_cast<float>(d_in[pixel * job.channels + c]);
            }
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

Image defective(const Job& job) {
    return bytes_by(filters_width, job, one_thread_each(job, job.out_width(), job.out_height()));
}

TEST_CASE("a row index with the filter's width is right only for an image as wide as the filter") {
    const Filter filter = make_filter("gaussian", 5);
    const Image narrow = noise(5, 19);
    const Job as_wide = job_of(narrow, filter, 16);
    CHECK(against_reference(defective(as_wide), as_wide).identical());

    const Image image = noise(32, 19);
    const Job job = job_of(image, filter, 16);
    CHECK_FALSE(against_reference(defective(job), job).identical());
    CHECK(check_variant(cuda_global::aos, as_wide).identical());
    CHECK(check_variant(cuda_global::aos, job).identical());
}

}  // namespace
}  // namespace convolab::defects
