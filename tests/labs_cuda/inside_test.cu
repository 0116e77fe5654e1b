// SPDX-License-Identifier: MIT
// ariano2023, listing of 3.7.1: the inside test is written for 5x5. With 3x3 the first row and
// column stay empty.
#include "labs/03_cuda_global/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

template <class View>
__global__ void inside_is_two(const float* d_padded, float* d_out, const float* d_taps,
                              View image) {
    constexpr int C = View::channels;
    const int p = image.radius;
    const int padded_x = blockIdx.x * blockDim.x + threadIdx.x;
    const int padded_y = blockIdx.y * blockDim.y + threadIdx.y;
    if (padded_x < 2 || padded_y < 2) return;  // the defect: it means p
    const int x = padded_x - p, y = padded_y - p;
    if (x >= image.width || y >= image.height) return;
    for (int c = 0; c < C; ++c) {
        float sum = 0;
        for (int j = 0; j < image.ksize; ++j)
            for (int i = 0; i < image.ksize; ++i)
                sum += d_taps[j * image.ksize + i] * d_padded[image.in(x + i, y + j, c)];
        d_out[image.out(x, y, c)] = rounded(sum, image.divisor);
    }
}

Image defective(const Job& job) {
    const Variant variant =
        padded_variant<float>("", "", []<class View>(CudaVariant<float, View>& v) {
            v.prepare(inside_is_two<View>,
                      one_thread_each(v.job, v.view.padded_width, v.view.padded_height));
            v.set_launch([&v] {
                inside_is_two<<<v.grid, v.block>>>(v.d_in(), v.d_out(), v.d_taps(), v.view);
            });
        });
    return result_of(*variant.make(job));
}

TEST_CASE("an inside test of 2 is right for 5x5 only; padded tests for p") {
    const Image image = noise(37, 21);
    const Job five = job_of(image, make_filter("gaussian", 5), 16);
    CHECK(against_reference(defective(five), five).identical());

    const Job three = job_of(image, make_filter("gaussian", 3), 16);
    const Comparison wrong = against_reference(defective(three), three);
    CHECK(wrong.different == 3 * (37 + 21 - 1));  // the first row and the first column
    CHECK(check_variant(cuda_global::padded, three).identical());
}

}  // namespace
}  // namespace convolab::defects
