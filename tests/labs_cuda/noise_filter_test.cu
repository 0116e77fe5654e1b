// SPDX-License-Identifier: MIT
// videostream2021, noise filter. Outside the frame the program does not set the third channel of
// the halo, although its listings (3.4) do. The result is truncated to a byte, not rounded.
#include "labs/10_noise_filter/parts/operations.hpp"
#include "labs/10_noise_filter/parts/windows.hpp"
#include "labs/10_noise_filter/variants.hpp"
#include "tests/labs_cuda/frame_pairs.hpp"

namespace convolab::defects {
namespace {

using Variants = std::vector<const Variant*>;
const Variants kVariants = {&noise_filter::tile, &noise_filter::columns, &noise_filter::fused,
                            &noise_filter::count};
const Variants kPairs = {&noise_filter::pair, &noise_filter::pair_count};
const Variants kMedians = {&noise_filter::median, &noise_filter::median_count};

Job filter_job(const Image& previous, const Image& current, const Filter& filter, int block) {
    Job job = pair_of(previous, current, 1, filter);
    job.settings.block = block;
    return job;
}

Image reference(const Variant& variant, const Job& job) {
    return (variant.operation != nullptr ? *variant.operation : noise_filter::marks())
        .reference(job);
}

Comparison check_variant(const Variant& variant, const Job& job) {
    return compare(result_of(*variant.make(job)), reference(variant, job));
}

// ---- the report's tile (3.4): black outside of the frame ----------------------------------------
template <int last_channel, bool rounds>
static __global__ void filter_tile(const std::uint8_t* d_in, std::uint8_t* d_out, int width,
                                   int height) {
    constexpr int K = 3, p = K / 2, side = 32, T = side - K + 1;
    __shared__ std::uint8_t s_tile[side][side * 3];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * T + tx - p, y = blockIdx.y * T + ty - p;
    for (int c = 0; c < 3; ++c) s_tile[ty][3 * tx + c] = 200;  // of a block before this one
    if (x >= 0 && x < width && y >= 0 && y < height)
        for (int c = 0; c < 3; ++c) s_tile[ty][3 * tx + c] = d_in[3 * (y * width + x) + c];
    else
        for (int c = 0; c < 3; ++c) s_tile[ty][3 * tx + min(c, last_channel)] = 0;
    __syncthreads();
    if (tx >= T || ty >= T || x + p >= width || y + p >= height) return;
    for (int c = 0; c < 3; ++c) {
        int sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i) sum += s_tile[ty + j][3 * (tx + i) + c];
        d_out[3 * ((y + p) * width + x + p) + c] =
            static_cast<std::uint8_t>((sum + (rounds ? K * K / 2 : 0)) / (K * K));
    }
}

template <int last_channel, bool rounds>
Image filtered_by_tile(const Job& job) {
    const auto setup = [](CudaFramePair& v) {
        v.prepare(filter_tile<last_channel, rounds>, one_block_per_tile(v.width, v.height, 30, 32));
        v.set({.launch = [&v] {
            filter_tile<last_channel, rounds>
                <<<v.grid, v.block>>>(v.d_current(), v.d_out(), v.width, v.height);
        }});
    };
    return made_by(job, setup);
}

TEST_CASE("noise filter: a halo whose third channel is not set spoils that channel at the edge") {
    const Image frame = noise(70, 41);
    const Job job = filter_job(frame, frame, make_filter("box", 3), 8);
    const Border black{BorderRule::constant, 0};
    const Image right = reference_convolution({{&frame}, job.filter, black});
    CHECK(compare(filtered_by_tile<2, true>(job), right).identical());
    const Image wrong = filtered_by_tile<1, true>(job);  // the program's defect: channel 1 twice
    int different = 0;
    for (int y = 0; y < 41; ++y)
        for (int x = 0; x < 70; ++x)
            for (int c = 0; c < 3; ++c) {
                const bool at_edge = x == 0 || y == 0 || x == 69 || y == 40;
                const bool differs = wrong.value(x, y, c) != right.value(x, y, c);
                different += differs != (c == 2 && at_edge);
            }
    CHECK(different == 0);
    for (const auto& variants : {kVariants, kPairs})
        for (const Variant* variant : variants) {
            INFO(variant->name);
            CHECK(check_variant(*variant, job).identical());
        }
}

TEST_CASE("noise filter: truncation darkens the frame by about half a step, unlike rounding") {
    const Image frame = noise(90, 60);
    const Job job = filter_job(frame, frame, make_filter("box", 3), 8);
    const auto brightness = [](const Image& image) {
        double sum = 0;
        for (int y = 1; y < 59; ++y)
            for (int x = 1; x < 89; ++x)
                for (int c = 0; c < 3; ++c) sum += image.value(x, y, c);
        return sum / (58 * 88 * 3);
    };
    const double cut = brightness(filtered_by_tile<2, false>(job));
    const double rounded = brightness(filtered_by_tile<2, true>(job));
    CHECK(rounded - cut > 0.4);
    CHECK(rounded - cut < 0.5);  // 4/9
    CHECK(std::abs(rounded - brightness(result_of(*noise_filter::tile.make(job)))) < 1e-9);
}

template <int K>
void check_taps() {
    const auto taps = gaussian_taps(K);
    for (int i = 0; i < K; ++i)
        CHECK(static_cast<std::int32_t>(noise_filter::Gaussian<K>::tap(i)) ==
              taps[static_cast<std::size_t>(i)]);
}

TEST_CASE("noise filter: the kernels' Gaussian is make_filter's, and another is unsupported") {
    check_taps<3>();
    check_taps<5>();
    check_taps<7>();
    check_taps<9>();
    const Image frame = noise(20, 20);
    for (const Filter& filter : {make_filter("gaussian", 5, 1.7), make_filter("sharpen"),
                                 make_filter("median", 11), make_filter("box", 1)})
        for (const auto& variants : {kVariants, kPairs, kMedians})
            for (const Variant* variant : variants)
                CHECK_THROWS_AS(variant->make(filter_job(frame, frame, filter, 8)), Unsupported);
}

void check_sizes(const Variants& variants, std::initializer_list<int> widths,
                 std::initializer_list<int> heights, const std::vector<Filter>& filters) {
    for (const int width : widths)
        for (const int height : heights) {
            const Image both = noise(width, 2 * height);
            const Image previous = crop(both, 0, 0, width, height);
            const Image current = crop(both, 0, height, width, height);
            for (const Filter& filter : filters)
                for (const Variant* variant : variants) {
                    INFO(variant->name << " " << width << "x" << height << " " << filter.name()
                                       << " " << filter.ksize());
                    CHECK(check_variant(*variant, filter_job(previous, current, filter, 8))
                              .identical());
                }
        }
}

// Rows of 16, 160, 176, 320 and 656 pixels begin at multiples of 16 bytes. A strip has 160 pixels,
// or 464 bytes where rows do not.
TEST_CASE("noise filter: both frames in one strip, of any size") {
    std::vector<Filter> filters;
    for (const int ksize : {3, 5, 7, 9})
        for (const char* name : {"box", "gaussian"}) filters.push_back(make_filter(name, ksize));
    check_sizes(kPairs, {16, 160, 176, 320, 656}, {1, 2, 13, 25}, filters);
    check_sizes(kPairs, {1, 2, 5, 154, 155, 161, 315, 641}, {1, 2, 13}, filters);
}

// A warp has 60 pixels of a row with K = 3, and 58 with K = 5; 24 and 10 rows.
TEST_CASE("noise filter: medians of two columns a lane, of any size") {
    check_sizes(kMedians, {1, 2, 57, 58, 60, 61, 126, 186, 251}, {1, 2, 21, 49, 70},
                {make_filter("median", 3), make_filter("median", 5)});
}

TEST_CASE("noise filter: pair after pair") {
    for (const char* name : {"gaussian", "median"})
        check_pair_after_pair(kVariants, reference, make_filter(name, 5));
    check_pair_after_pair(kPairs, reference, make_filter("gaussian", 5));
    check_pair_after_pair(kMedians, reference, make_filter("median", 5));
}

}  // namespace
}  // namespace convolab::defects
