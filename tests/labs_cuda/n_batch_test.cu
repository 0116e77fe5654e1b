// SPDX-License-Identifier: MIT
// n_batch loads what two rounds cannot: any filter with any block.
#include "labs/05_cuda_shared/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

TEST_CASE("n_batch loads any tile with any block") {
    const Image image = noise(45, 19);
    for (const int block : {1, 2, 4, 8, 10, 32})
        for (const int ksize : {3, 9, 31})
            for (const Border& border : all_borders()) {
                if (border.rule == BorderRule::valid && ksize == 31) continue;  // no output
                const Job job = job_of(image, make_filter("box", ksize), block, border);
                CHECK(check_variant(cuda_shared::n_batch, job).identical());
            }
}

TEST_CASE("n_batch names the limit of shared or constant memory that a filter exceeds") {
    const Image image = noise(8, 8);
    const Job large = job_of(image, make_filter("box", 191), 8);
    CHECK_THROWS_AS(cuda_shared::n_batch.make(large), Unsupported);
    const Job wide = job_of(image, make_filter("box", 5), 33);
    CHECK_THROWS_AS(cuda_shared::n_batch.make(wide), Unsupported);
}

}  // namespace
}  // namespace convolab::defects
