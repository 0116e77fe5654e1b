// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// delbimbo2024: the index of a pixel is computed with the filter's width where the image's is
// meant.
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::cuda_global {
extern const Variant aos;
}

namespace convolab::defects {
namespace {

template <class View>
__global__ void filters_width(const std::uint8_t* d_padded, std::uint8_t* d_out,
                              const float* d_taps, View image) {
    constexpr int C = View::channels;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= image.width || y >= image.height) return;
    for (int c = 0; c < C; ++c) {
        float sum = 0;
        for (int j = 0; j < image.ksize; ++j)
            for (int i = 0; i < image.ksize; ++i) {
                const int pixel = (y + j) * image.ksize + x + i;  // the defect: padded_width
                sum += d_taps[j * image.ksize + i] * d_padded[pixel * C + c];
            }
        d_out[image.out(x, y, c)] = to_sample<std::uint8_t>(sum, image.divisor);
    }
}

Image defective(const Job& job) {
    const Variant variant =
        padded_variant<std::uint8_t>("", "", []<class View>(CudaVariant<std::uint8_t, View>& v) {
            v.prepare(filters_width<View>, one_thread_per_pixel(v.job));
            v.launches([&v] {
                filters_width<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
            });
        });
    return result_of(*variant.make(job));
}

TEST_CASE("a row index with the filter's width is right only for an image as wide as the filter") {
    const Filter filter = make_filter("gaussian", 5);
    const Image narrow = noise(5, 19);
    const Job as_wide = job_of(narrow, filter, 16, {BorderRule::valid});  // nothing is padded
    CHECK(against_reference(defective(as_wide), as_wide).identical());

    const Image image = noise(32, 19);
    const Job job = job_of(image, filter, 16);
    CHECK_FALSE(against_reference(defective(job), job).identical());
    CHECK(check_variant(cuda_global::aos, as_wide).identical());
    CHECK(check_variant(cuda_global::aos, job).identical());
}

}  // namespace
}  // namespace convolab::defects
