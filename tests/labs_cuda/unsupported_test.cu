// SPDX-License-Identifier: MIT
// The messages of the variants about jobs that they do not support.
#include <string>
#include <tuple>

#include "labs/03_cuda_global/variants.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "labs/06_async_streams/variants.hpp"
#include "labs/07_separable/variants.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

/// Empty if the variant supports the job and its bytes are right.
std::string message(const Variant& variant, const Job& job) {
    try {
        const bool is_right = check_variant(variant, job).identical();
        CHECK(is_right);  // alone, because Unsupported must get past Catch2
        return "";
    } catch (const Unsupported& why) {
        return why.what();
    }
}

Filter box(int ksize, std::int32_t tap, std::int32_t divisor) {
    return {"box", ksize, std::vector<std::int32_t>(static_cast<std::size_t>(ksize * ksize), tap),
            divisor};
}

}  // namespace

TEST_CASE("a variant names what it does not support of a filter") {
    const Image image = noise(40, 40);
    const std::tuple<const Variant*, Filter, const char*> cases[] = {
        {&separable::packed, make_filter("gaussian", 11), "3, 5, 7, 9"},
        {&separable::packed, make_filter("identity", 1), "3, 5, 7, 9"},
        {&separable::packed, make_filter("laplacian"), "outer product"},
        {&cuda_shared::packed, make_filter("box", 9), "lab 07 or 12"},
        {&cuda_shared::packed, make_filter("box", 11), "3, 5, 7"},
        {&cuda_shared::packed, make_filter("3x3: 0 0 0 0 40001 0 0 0 0 / 3"), "40001"},
        {&separable::running_sums, make_filter("gaussian", 5), "'gaussian' is not a box"},
        {&separable::running_sums, box(3, -1, 9), "one positive number"},
        {&separable::running_sums, box(3, 128, 9), "127 at most, not 128"},
        {&separable::running_sums, box(21, 127, 46575), "by 46575 exactly"},
        {&separable::running_sums, box(33, 1, 1089), "29, 31; 33"},
        {&tensor_cores::toeplitz, make_filter("box", 11), "11 is not among them"},
        {&tensor_cores::tensor, make_filter("box", 11), "11 is not among them"},
        {&async_streams::streams, make_filter("box", 11), "9"},
        {&cuda_shared::n_batch, make_filter("box", 191), "memory"}};
    for (const auto& [variant, filter, words] : cases) {
        const std::string said = message(*variant, job_of(image, filter, 16));
        INFO(variant->name << ", " << filter.name() << ' ' << filter.ksize() << ": " << said);
        CHECK(said.find(words) != std::string::npos);
        CHECK_FALSE(said.empty());
    }
    const Job wide_block = job_of(image, make_filter("box", 5), 33);
    CHECK_THROWS_AS(cuda_shared::n_batch.make(wide_block), Unsupported);
    const Image two = noise(2, 2);
    const Job no_output = job_of(two, make_filter("box", 3), 16, {BorderRule::valid});
    CHECK(message(cuda_shared::packed, no_output).find("no output") != std::string::npos);
}

TEST_CASE("lab 12: the matrix takes taps from -128 to 127") {
    using namespace tensor_cores;
    const Image image = noise(20, 20);
    const Filter large = make_filter("3x3: 0 0 0 0 129 0 0 0 0 / 2");
    const Filter reducible = make_filter("3x3: 0 0 0 0 256 0 0 0 0 / 4");
    for (const Variant* variant : {&im2col, &toeplitz, &shared, &pipeline, &tensor}) {
        CHECK(message(*variant, job_of(image, large, 16)) ==
              "The matrix takes taps from -128 to 127; the filter 'typed' of side 3 has one of 129 "
              "over 2.");
        CHECK(message(*variant, job_of(image, reducible, 16)).empty());
    }
}

TEST_CASE("texture takes the channels, the borders and the sizes of a texture") {
    const auto said = [](const Image& image, const std::string& border = "replicate") {
        return message(cuda_global::texture,
                       job_of(image, make_filter("gaussian"), 16, parse_border(border)));
    };
    for (const int channels : {1, 4}) {
        const Image image = noise(5, 3, channels);
        for (const char* border : {"replicate", "constant", "renormalise"})
            CHECK(said(image, border) == "");
        for (const char* border : {"constant:7", "reflect", "reflect101", "wrap"})
            CHECK(said(image, border).find("replicate and constant:0") != std::string::npos);
    }
    CHECK(said(noise(5, 3, 3)).find("1, 2 or 4 channels") != std::string::npos);
    CHECK(said(noise(1, 65000, 1)) == "");
    CHECK(said(noise(1, 65001, 1)).find("131072 x 65000") != std::string::npos);
    CHECK(said(noise(131073, 1, 1)).find("131072 x 65000") != std::string::npos);
}

}  // namespace convolab::defects
