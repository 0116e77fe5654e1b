// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// ariano2023: the inside test is written for 5x5. With 3x3 the first row and column stay empty.
#include "labs/03_cuda_global/padded.cu"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

__global__ void inside_is_two(const float* d_padded, float* d_out, const float* d_taps,
                              DeviceJob job) {
    const int p = job.radius;
    const int padded_x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int padded_y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (padded_x < 2 || padded_y < 2) return;  // the defect: it means p
    const int x = padded_x - p;
    const int y = padded_y - p;
    if (x >= job.out_width || y >= job.out_height) return;
    const int padded_width = job.out_width + 2 * p;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = 0; j < job.ksize; ++j)
            for (int i = 0; i < job.ksize; ++i)
                sum += d_taps[j * job.ksize + i] *
                       d_padded[((y + j) * padded_width + x + i) * job.channels + c];
        d_out[job.out_index(x, y, c)] = to_sample<std::uint8_t>(sum, job.divisor_at(x, y));
    }
}

Image defective(const Job& job) {
    const int border = 2 * job.filter.radius();
    Kernel<float> kernel(job, pad(job, PixelType::float32), output_for(job, PixelType::float32),
                         inside_is_two,
                         one_thread_each(job, job.out_width() + border, job.out_height() + border));
    return result_of(kernel);
}

TEST_CASE("an inside test of 2 is right for 5x5 only; padded tests for p") {
    const Image image = noise(37, 21);
    const Job five = job_of(image, make_filter("gaussian", 5), 16);
    CHECK(against_reference(defective(five), five).identical());

    const Job three = job_of(image, make_filter("gaussian", 3), 16);
    const Comparison wrong = against_reference(defective(three), three);
    CHECK(wrong.different == 3 * (37 + 21 - 1));  // the first row and the first column
    for (const int ksize : {1, 3, 5, 7, 9}) {
        const Job job = job_of(image, make_filter("box", ksize), 16);
        CHECK(check_variant(cuda_global::padded, job).identical());
    }
}

}  // namespace
}  // namespace convolab::defects
