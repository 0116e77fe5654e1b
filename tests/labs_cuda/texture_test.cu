// SPDX-License-Identifier: MIT
// `texture` names what a texture cannot do before the kernel runs.
#include <string>

#include "labs/03_cuda_global/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

/// The message of `texture` if it does not support the image; empty if it does and the bytes are
/// right.
std::string refusal(const Image& image, const Border& border = {}) {
    try {
        const Job job = job_of(image, make_filter("gaussian"), 16, border);
        const Comparison comparison = check_variant(cuda_global::texture, job);
        CHECK(comparison.identical());
        return "";
    } catch (const Unsupported& why) {
        return why.what();
    }
}

bool contains(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

TEST_CASE("texture takes the channels, the borders and the sizes of a texture") {
    for (const int channels : {1, 4}) {
        const Image image = noise(5, 3, channels);
        for (const char* border : {"replicate", "constant", "renormalise"})
            CHECK(refusal(image, parse_border(border)) == "");
        for (const char* border : {"constant:7", "reflect", "reflect101", "wrap"})
            CHECK(contains(refusal(image, parse_border(border)), "replicate and constant:0"));
    }
    CHECK(contains(refusal(noise(5, 3, 3)), "1, 2 or 4 channels"));
    CHECK(refusal(noise(1, 65000, 1)) == "");
    CHECK(contains(refusal(noise(1, 65001, 1)), "131072 x 65000"));
    CHECK(contains(refusal(noise(131073, 1, 1)), "131072 x 65000"));
}

}  // namespace
}  // namespace convolab::defects
