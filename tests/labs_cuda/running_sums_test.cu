// SPDX-License-Identifier: MIT
// Lab 07, running_sums, compared with the reference: boxes of every side with any tap and divisor,
// at the end of a warp's strip (720 bytes, 672 or 624 with 2, 4 or 6 idle lanes) and around a band.
#include <algorithm>

#include "labs/07_separable/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/packed.hpp"

namespace convolab::defects {
namespace {

Filter box(int ksize, std::int32_t tap, std::int32_t divisor) {
    return {"box", ksize, std::vector<std::int32_t>(static_cast<std::size_t>(ksize * ksize), tap),
            divisor};
}

TEST_CASE("running_sums: every side, channel, border and width") {
    for (const int channels : {1, 3, 4})
        for (int ksize = 3; ksize <= 31; ksize += 2) {
            const int idle_lanes = (channels * (ksize / 2) + 23) / 24 * 2;
            const int strip = (32 - idle_lanes) * 24 / channels;
            std::vector<int> widths = {7, strip + 1};
            if (ksize == 5 || ksize == 31) widths = {1, strip - 1, strip, 2 * strip + 5};
            for (const int width : widths)
                for (const Border& border : kBorders)
                    check_packed(separable::running_sums, noise(width, 33, channels),
                                 make_filter("box", ksize), border);
        }
}

TEST_CASE("running_sums: heights around a band") {
    for (const int height : {1, 2, 7, 8, 9, 31, 64, 200})
        for (const int ksize : {3, 9, 31})
            for (const Border& border : kBorders)
                check_packed(separable::running_sums, noise(37, height), make_filter("box", ksize),
                             border);
}

/// A white image has the largest sums; those over 255 are clamped.
TEST_CASE("running_sums: taps and divisors") {
    const Filter filters[] = {
        box(3, 1, 1),     box(3, 127, 1),   box(3, 127, 65536), box(3, 508, 4572), box(5, 2, 49),
        box(5, 1, 65535), box(15, 1, 224),  box(15, 127, 1),    box(31, 1, 960),   box(31, 34, 7),
        box(31, 34, 961), box(31, 68, 961), box(31, 68, 65344), box(31, 1, 1)};
    Image white(700, 40, 3);
    std::fill_n(white.data<std::uint8_t>(), white.samples(), 255);
    const Image other = noise(700, 40);
    for (const Filter& filter : filters)
        for (const Image* image : std::initializer_list<const Image*>{&white, &other})
            check_packed(separable::running_sums, *image, filter, {BorderRule::reflect101});
}

TEST_CASE("running_sums names what is not a box") {
    const Image image = noise(40, 40);
    const auto refusal = [&](const Filter& filter) -> std::string {
        try {
            static_cast<void>(separable::running_sums.make(job_of(image, filter, 16)));
        } catch (const Unsupported& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal(make_filter("gaussian", 5)).find("'gaussian' is not a box") != std::string::npos);
    CHECK(refusal(box(3, -1, 9)).find("one positive number") != std::string::npos);
    CHECK(refusal(box(3, 128, 9)).find("127 at most, not 128") != std::string::npos);
    CHECK(refusal(box(21, 127, 46575)).find("by 46575 exactly") != std::string::npos);
    CHECK(refusal(box(33, 1, 1089)).find("29, 31; 33") != std::string::npos);
}

}  // namespace
}  // namespace convolab::defects
