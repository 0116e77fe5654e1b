// SPDX-License-Identifier: MIT
// cazzola2024, Alg. 2: the kernel is slow because its rows come from the x index, not because of
// the memory it uses. The mapping changes the order of the work and not one byte.
#include "labs/03_cuda_global/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

TEST_CASE("naive and coalesced give the same bytes, whatever the shape of the image") {
    const std::pair<int, int> sizes[] = {{1, 1}, {70, 3}, {3, 70}, {33, 17}};
    for (const auto& [width, height] : sizes)
        for (const int block : {4, 16, 32}) {
            const Image image = noise(width, height);
            const Job job = job_of(image, make_filter("sobel_x"), block);
            const Image turned = result_of(*cuda_global::naive.make(job));
            const Image straight = result_of(*cuda_global::coalesced.make(job));
            CHECK(compare(turned, straight).identical());
            CHECK(against_reference(straight, job).identical());
        }
}

}  // namespace
}  // namespace convolab::defects
