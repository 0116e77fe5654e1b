// SPDX-License-Identifier: MIT
// Lab 05, packed: filters that are not separable, with taps of one digit and of two.
#include "labs/05_cuda_shared/parts/direct_taps.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "tests/labs_cuda/packed.hpp"

namespace convolab::defects {
namespace {

std::vector<Filter> filters() {
    return {make_filter("sharpen"),
            make_filter("emboss"),
            make_filter("laplacian"),
            make_filter("edge", 3),
            make_filter("edge", 5),
            make_filter("edge", 7),
            make_filter("gaussian", 5),
            make_filter("gaussian", 7),
            make_filter("gaussian", 3, 0.7),
            make_filter("gaussian", 5, 1.1),
            make_filter("unsharp"),
            make_filter("box", 7),
            make_filter("3x3: -128 127 128 -129 1000 -1 0 100 200 / 901"),
            make_filter("3x3: 0 0 0 -32768 0 32639 0 0 0 / 77")};
}

TEST_CASE("packed, direct: every filter and border at the ends of strips and blocks") {
    check_widths(cuda_shared::packed, filters());
}
TEST_CASE("packed, direct: heights around a band") {
    check_heights(cuda_shared::packed, filters());
}

TEST_CASE("packed, direct: as many digits as the taps need") {
    const auto digits = [](const char* filter) {
        int count = 0;
        static_cast<void>(cuda_shared::direct_taps(make_filter(filter), count));
        return count;
    };
    CHECK(digits("3x3: 0 0 0 -128 0 127 0 0 0 / 1") == 1);
    CHECK(digits("3x3: 0 0 0 0 128 0 0 0 0 / 1") == 2);
    CHECK(digits("3x3: 0 0 0 0 256 512 0 0 0 / 256") == 1);  // 1 2 over 1
}

TEST_CASE("packed, direct: messages for unsupported filters and borders") {
    const Image image = noise(2, 2);
    const auto refusal = [&](const Filter& filter, Border border = {}) -> std::string {
        try {
            static_cast<void>(cuda_shared::packed.make(job_of(image, filter, 16, border)));
        } catch (const Unsupported& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal(make_filter("box", 9)).find("lab 07 or 12") != std::string::npos);
    CHECK(refusal(make_filter("box", 11)).find("3, 5, 7") != std::string::npos);
    const Border valid{BorderRule::valid};
    CHECK(refusal(make_filter("box", 3), valid).find("no output") != std::string::npos);
    const Filter large = make_filter("3x3: 0 0 0 0 40001 0 0 0 0 / 3");
    CHECK(refusal(large).find("40001") != std::string::npos);
}

}  // namespace
}  // namespace convolab::defects
