// SPDX-License-Identifier: MIT
// Two jobs of one variant at the same time, as in bench's rounds. They share the kernel, its limits
// and its constants.
#include "labs/05_cuda_shared/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

TEST_CASE("a job keeps the shared memory that it needs when a smaller one is prepared") {
    const Image image = noise(41, 37);
    const Job large = job_of(image, make_filter("box", 43), 32);  // (32 + 42)^2 floats x 3: 64 KiB
    const Job small = job_of(image, make_filter("box", 39), 32);  // 58 KiB, also over 48
    const auto first = cuda_shared::n_batch.make(large);
    const auto second = cuda_shared::n_batch.make(small);
    CHECK(against_reference(result_of(*first), large).identical());
    CHECK(against_reference(result_of(*second), small).identical());
}

TEST_CASE("upload() brings back the constants that another job has replaced") {
    const Image image = noise(41, 37);
    const Job three = job_of(image, make_filter("gaussian", 3), 16);
    const Job five = job_of(image, make_filter("gaussian", 5), 16);
    const auto first = cuda_shared::filter_in_constant.make(three);
    const auto second = cuda_shared::filter_in_constant.make(five);
    for (int turn = 0; turn < 2; ++turn) {
        CHECK(against_reference(result_of(*first), three).identical());
        CHECK(against_reference(result_of(*second), five).identical());
    }
}

}  // namespace
}  // namespace convolab::defects
