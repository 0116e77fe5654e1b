// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// cazzola2024, Alg. 3 and 4: `x <= width && y <= height` computes one column and one row too many.
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::cuda_shared {
extern const Variant filter_in_shared;
}

namespace convolab::defects {
namespace {

using GrayView = View<1, NearestOutside, int>;

__global__ void one_too_many(const std::uint8_t* d_in, std::uint8_t* d_out, const float* d_taps,
                             GrayView image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > image.out_width || y > image.out_height) return;    // the defect: >= is meant
    if (y == image.out_height && x == image.out_width) return;  // past the row that the test adds
    float sum = 0;
    for (int j = 0; j < image.ksize; ++j)
        for (int i = 0; i < image.ksize; ++i)
            sum += d_taps[j * image.ksize + i] *
                   image.sample(d_in, x + image.origin + i, y + image.origin + j, 0);
    d_out[image.out(x, y, 0)] = to_sample<std::uint8_t>(sum, image.divisor);
}

/// The output with one more row behind it, which no kernel may write.
Image with_guard_row(const Job& job) {
    CudaVariant<std::uint8_t, GrayView> v(job, GrayView{geometry_of(job), {}},
                                          {stored(job, PixelType::uint8)},
                                          {Image(job.out_width(), job.out_height() + 1, 1)});
    v.prepare(one_too_many, one_thread_per_pixel(job));
    v.launches(
        [&v] { one_too_many<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view); });
    return result_of(v);
}

TEST_CASE("bounds one row and column too many write behind the image") {
    const Image image = noise(21, 13, 1);
    const Job job = job_of(image, make_filter("box", 3), 16);
    const Image result = with_guard_row(job);
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
