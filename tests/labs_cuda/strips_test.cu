// SPDX-License-Identifier: MIT
// What `lab verify` does not have: pictures that end with a strip, a block or a band of a kernel, or
// one pixel beside it; taps over 8 bits; the largest sums; pictures larger than one batch.
#include <algorithm>
#include <random>

#include "common/cuda/device.hpp"
#include "common/cuda/packed_dots.hpp"
#include "labs/03_cuda_global/variants.hpp"
#include "labs/05_cuda_shared/variants.hpp"
#include "labs/07_separable/variants.hpp"
#include "labs/12_tensor/parts/bulk_copy.hpp"
#include "labs/12_tensor/parts/tensor_core.hpp"
#include "labs/12_tensor/parts/window_bands.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {
namespace {

using Filters = std::vector<Filter>;

struct Picture {
    std::int64_t width, height;
    int channels = 3;
    bool is_white = false;
};
using Pictures = std::vector<Picture>;

/// Rows of samples that end with a strip of so many bytes, and one pixel before and after it.
Pictures ends_of(const std::vector<int>& strips, int height) {
    Pictures all;
    for (const int channels : {1, 3, 4})
        for (const int strip : strips)
            for (const int beside : {-1, 0, 1})
                all.push_back({strip / channels + beside, height, channels});
    return all;
}

Pictures of_heights(const std::vector<int>& heights) {
    Pictures all;
    for (const int height : heights) all.push_back({37, height});
    return all;
}

Image drawn(const Picture& picture) {
    Image image = noise(picture.width, picture.height, picture.channels);
    if (picture.is_white) std::fill_n(image.data<std::uint8_t>(), image.samples(), 255);
    return image;
}

/// Compares each variant with the reference, for each picture and filter with two of the borders,
/// which take turns.
void check(const std::vector<const Variant*>& variants, const Pictures& pictures,
           const Filters& filters, const std::vector<Border>& borders = all_borders()) {
    for (std::size_t p = 0; p < pictures.size(); ++p) {
        const Image image = drawn(pictures[p]);
        for (std::size_t f = 0; f < filters.size(); ++f)
            for (std::size_t i = 0; i < std::min<std::size_t>(borders.size(), 2); ++i) {
                const Filter& filter = filters[f];
                const Border& border = borders[(p + 2 * f + 3 * i) % borders.size()];
                const Job job = job_of(image, filter, 16, border);
                if (border.rule == BorderRule::renormalise && !filter.can_renormalise()) continue;
                if (job.out_width() < 1 || job.out_height() < 1) continue;
                const Image expected = reference_convolution(job);
                for (const Variant* variant : variants) {
                    const Comparison found = compare(result_of(*variant->make(job)), expected);
                    INFO(variant->name << ", " << filter.name() << ' ' << filter.ksize() << ", "
                                       << to_string(border) << ", " << describe(image) << ": "
                                       << found.first);
                    CHECK(found.identical());
                }
            }
    }
}

/// The first K taps of a column and of a row. The first tap exceeds 8 bits, and its sums exceed 16.
Filter wide(int ksize, std::int32_t divisor) {
    constexpr int kColumn[] = {-3, 331, 128, -1, 2, 0, -129, 5, 6};
    constexpr int kRow[] = {1, 7, -12, 30, 2, 0, 9, -3, 4};
    std::vector<std::int32_t> taps;
    for (int j = 0; j < ksize; ++j)
        for (int i = 0; i < ksize; ++i) taps.push_back(kColumn[j] * kRow[i]);
    return {"wide", ksize, taps, divisor};
}

Filter box(int ksize, std::int32_t tap, std::int32_t divisor) {
    return {"box", ksize, std::vector<std::int32_t>(static_cast<std::size_t>(ksize * ksize), tap),
            divisor};
}
Filters boxes(const std::vector<int>& sides) {
    Filters all;
    for (const int ksize : sides) all.push_back(make_filter("box", ksize));
    return all;
}

/// Each body: binomial, other powers of two, other divisors, negative taps in the column and in the
/// row, no symmetry, taps over 8 bits.
Filters separable_filters() {
    Filters all = {
        make_filter("gaussian", 3, 0.5),
        make_filter("gaussian", 5, 1.1),
        make_filter("sobel_x"),
        make_filter("sobel_y"),
        make_filter("3x3: 1 2 1 2 4 2 1 2 1 / 16"),
        make_filter("3x3: -100 100 0 -127 127 0 28 -28 0 / 7"),
        make_filter("5x5: 1 4 2 3 1 2 8 4 6 2 3 12 6 9 3 5 20 10 15 5 7 28 14 21 7 / 198"),
        wide(3, 1),
        wide(5, 901),
        wide(7, 6003),
        wide(9, 65521),
        make_filter("3x3: 1 1 1 300 300 300 1 1 1 / 906"),
        make_filter("3x3: 0 -1 0 0 40001 0 0 -25534 0 / 3"),
        make_filter("3x3: 0 0 0 -32768 0 32639 0 0 0 / 77")};
    for (const int ksize : {3, 5, 7, 9}) {
        all.push_back(make_filter("gaussian", ksize));
        all.push_back(make_filter("box", ksize));
    }
    return all;
}

/// Taps of one digit and of two.
Filters direct_filters() {
    return {make_filter("emboss"),
            make_filter("edge", 3),
            make_filter("edge", 5),
            make_filter("edge", 7),
            make_filter("gaussian", 5, 1.1),
            make_filter("unsharp"),
            make_filter("box", 7),
            make_filter("3x3: -128 127 128 -129 1000 -1 0 100 200 / 901"),
            make_filter("3x3: 0 0 0 -32768 0 32639 0 0 0 / 77")};
}

/// Without symmetry and with signs; their taps do not sum to the divisor, except for the first.
Filters matrix_filters() {
    Filters all = {make_filter("box", 7), make_filter("identity", 1)};
    std::mt19937 random(3);
    for (const int ksize : {1, 3, 5, 7, 9}) {
        std::vector<std::int32_t> taps;
        for (int i = 0; i < ksize * ksize; ++i)
            taps.push_back(static_cast<std::int32_t>(random() % 256) - 128);
        all.emplace_back("random", ksize, taps, ksize == 9 ? 4099 : 17 * ksize * ksize);
    }
    return all;
}

}  // namespace

// ---- packed: warps with strips of 480 bytes, blocks of 1920, bands of 6 rows and of 24 ----------
TEST_CASE("lab 07, packed: ends of strips and blocks") {
    check({&separable::packed}, ends_of({480, 1920}, 11), separable_filters());
}
TEST_CASE("lab 05, packed: ends of strips and blocks") {
    check({&cuda_shared::packed}, ends_of({480, 1920}, 11), direct_filters());
}
TEST_CASE("packed: heights around a band") {
    const Pictures pictures = of_heights({5, 6, 7, 23, 24, 25, 61});
    check({&separable::packed}, pictures, separable_filters());
    check({&cuda_shared::packed}, pictures, direct_filters());
}
TEST_CASE("lab 07, packed: the body for large binomial images") {  // over 28 MiB
    check({&separable::packed}, {{5600, 5300, 1}}, {make_filter("gaussian", 5)}, {Border{}});
}
TEST_CASE("lab 07, packed: sums over 2^23, with and without a division in one instruction") {
    for (const std::int32_t divisor : {46573, 46575}) {
        std::vector<std::int32_t> taps;
        for (const std::int32_t down : {67, 66, 67})
            for (const std::int32_t along : {79, 80, 81}) taps.push_back(down * along);
        const Filter filter("large", 3, taps, divisor);
        const auto parts = reduced(taps_of(filter));
        CHECK(fits(parts, -128, 127));
        CHECK(find_bit_division(parts.divisor, largest_sum(parts)).has_value() ==
              (divisor == 46573));
        check({&separable::packed}, {{500, 11, 3, true}, {500, 11}}, {filter}, {Border{}});
    }
}

// ---- running_sums: strips of 720 bytes, of 672 and 624 with larger sides ------------------------
TEST_CASE("running_sums: ends of strips, and heights around a band") {
    check({&separable::running_sums}, ends_of({624, 672, 720}, 33), boxes({5, 17, 31}));
    check({&separable::running_sums}, of_heights({7, 8, 9, 31, 64, 200}), boxes({3, 9, 31}));
}
TEST_CASE("running_sums: every side") {
    Filters every;
    for (int ksize = 3; ksize <= 31; ksize += 2) every.push_back(make_filter("box", ksize));
    check({&separable::running_sums}, {{241, 33}, {721, 33, 1}, {181, 33, 4}}, every);
}
TEST_CASE("running_sums: taps and divisors") {
    const Filters filters = {
        box(3, 1, 1),     box(3, 127, 1),   box(3, 127, 65536), box(3, 508, 4572), box(5, 2, 49),
        box(5, 1, 65535), box(15, 1, 224),  box(15, 127, 1),    box(31, 1, 960),   box(31, 34, 7),
        box(31, 34, 961), box(31, 68, 961), box(31, 68, 65344), box(31, 1, 1)};
    check({&separable::running_sums}, {{700, 40, 3, true}, {700, 40}}, filters,
          {{BorderRule::reflect101}});
}

// ---- lab 12: strips of 256 bytes, blocks of 768, of wgmma 2304 and 2560 -------------------------
#define NEEDS_CAPABILITY(needed) \
    if (device_info().compute_capability < (needed)) SKIP_TEST("the GPU is too old")
TEST_CASE("pipeline and tensor: ends of strips, tall pictures") {
    NEEDS_CAPABILITY(kBulkCopies);
    const std::vector<const Variant*> both = {&tensor_cores::pipeline, &tensor_cores::tensor};
    check(both, ends_of({256, 768}, 11), matrix_filters());
    check(both, {{3, 4001}}, {make_filter("box", 5)}, {Border{}});
}
TEST_CASE("march, pipeline and tensor: heights around a band") {
    NEEDS_CAPABILITY(kBulkCopies);
    check({&tensor_cores::march, &tensor_cores::pipeline, &tensor_cores::tensor},
          of_heights({2, 3, 8, 9, 10, 23}), matrix_filters());
}
TEST_CASE("shared and im2col: ends of blocks, and a matrix in two bands") {
    NEEDS_CAPABILITY(kTensorCores);
    for (const int height : {8, 9})
        check({&tensor_cores::shared, &tensor_cores::im2col}, ends_of({256}, height),
              matrix_filters(), {Border{}});
    constexpr int kWidth = 1850, kWindow = 84;  // 9 x 9 bytes, in whole words
    constexpr auto kRows = tensor_cores::kMatrixBytes / (kWindow * kWidth);
    check({&tensor_cores::im2col}, {{kWidth, kRows + kRows / 2 + 1, 1}}, boxes({9}), {Border{}});
}
TEST_CASE("wgmma: ends of strips, and a ring that goes round") {
    if (device_info().compute_capability / 10 != 9) SKIP_TEST("the GPU has no `wgmma`");
    check({&tensor_cores::wgmma}, ends_of({2304, 2560}, 9), boxes({3, 7, 9}));
    check({&tensor_cores::wgmma}, {{3 * 768 + 1, 400}}, boxes({3, 5, 7}), {Border{}});
}

// ---- libraries of the CUDA toolkit --------------------------------------------------------------
static void check_library(const Variant& variant, const Picture& picture, int ksize) {
    try {
        check({&variant}, {picture}, {make_filter("edge", ksize)}, {Border{}});
    } catch (const MissingLibrary& why) {
        SKIP_TEST(why.what());
    }
}
TEST_CASE("fft: tiles in two batches, the second not full") {
    check_library(cuda_global::fft, {3000, 2600, 1}, 15);
}
TEST_CASE("cublas: windows in two bands") {
    check_library(tensor_cores::cublas, {1850, 1800, 1}, 9);
}

}  // namespace convolab::defects
