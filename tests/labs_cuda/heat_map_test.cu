// SPDX-License-Identifier: MIT
// videostream2021, heat map: a full change is black, the frame's tail stays empty, and pixels are
// cut at words and at the ends of runs.
#include <algorithm>
#include <cmath>

#include "labs/08_heat_map/parts/colours.hpp"
#include "labs/08_heat_map/parts/operation.hpp"
#include "labs/08_heat_map/variants.hpp"
#include "tests/labs_cuda/frame_pairs.hpp"

namespace convolab::defects {
namespace {

using heat::Colour, heat::colour_of, heat::difference, heat::put;

const Variant* const kVariants[] = {&heat::v1, &heat::v2, &heat::v3, &heat::grid, &heat::table};

Comparison with_reference(const Image& result, const Job& job) {
    return compare(result, heat::operation().reference(job));
}

/// One pixel for each of the 766 differences.
std::pair<Image, Image> all_differences() {
    Image previous(heat::kDifferences, 1, 3), current(heat::kDifferences, 1, 3);
    for (int d = 0; d < heat::kDifferences; ++d) {
        int left = d;
        for (int c = 0; c < 3; ++c) {
            const int change = std::min(left, 255);
            left -= change;
            previous.set_value(d, 0, c, c == 1 ? change : 0);  // both signs
            current.set_value(d, 0, c, c == 1 ? 0 : change);
        }
    }
    return {std::move(previous), std::move(current)};
}

// ---- its listings' colours (1.1 on): x = d / 510 ------------------------------------------------
static __device__ std::uint8_t cut(double s) {
    return static_cast<std::uint8_t>(fmin(fmax(s * 255, 0.0), 255.0));
}
static __global__ void divided_by_510(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                      std::uint8_t* d_out, int pixels) {
    const double pi = 3.14159265358979323846;
    for (int i = 3 * threadIdx.x; i < 3 * pixels; i += 3 * blockDim.x) {
        const double x = difference(d_previous + i, d_current + i) / (255 * 2.0);  // the defect
        put(d_out + i, {cut(sin(pi * x - pi / 2)), cut(sin(pi * x)), cut(sin(pi * x + pi / 2))});
    }
}

// ---- the report's runs (1.2): bytes / threads, rounded down -------------------------------------
static __global__ void runs_of_bytes(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                     std::uint8_t* d_out, int run) {
    const int first = threadIdx.x * run;  // the defects: partial pixels, and bytes left over
    for (int i = first; i + 2 < first + run; i += 3)
        put(d_out + i, colour_of<float>(difference(d_previous + i, d_current + i)));
}

// ---- the report's words (1.2.3): the part of a pixel in the next word is ignored ----------------
static __global__ void cut_at_words(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                    std::uint8_t* d_out, int bytes) {
    for (int word = threadIdx.x; 4 * word + 3 < bytes; word += blockDim.x)
        for (int i = 4 * word; i < 4 * word + 4; ++i) {
            if (i % 3 != 0) continue;
            int d = 0;
            for (int c = 0; c < 3 && i + c < 4 * word + 4; ++c)  // the defect: ends with the word
                d += abs(d_current[i + c] - d_previous[i + c]);
            put(d_out + i, colour_of<float>(d));
        }
}

TEST_CASE("heat map: every variant gives the colour of each of the 766 differences") {
    const auto [previous, current] = all_differences();
    for (const Variant* variant : kVariants)
        for (const int threads : {1, 3, 32, 100}) {
            const Job job = pair_of(previous, current, threads);
            const Image result = result_of(*variant->make(job));
            INFO(variant->name << ", " << threads << " threads");
            CHECK(with_reference(result, job).identical());
            CHECK(result.value(765, 0, 0) == 255);
            CHECK(result.value(765, 0, 2) == 0);
        }
}

TEST_CASE("heat map: divided by 510, a full change becomes black; 765 is right") {
    const auto [previous, current] = all_differences();
    const Job job = pair_of(previous, current, 32);
    const Image wrong = made_by(job, [](CudaFramePair& v) {
        v.prepare(divided_by_510, one_block(v.settings));
        v.set({.launch = [&v] {
            divided_by_510<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(), v.pixels);
        }});
    });
    for (int c = 0; c < 3; ++c) CHECK(wrong.value(765, 0, c) == 0);
    CHECK(wrong.value(0, 0, 2) == 255);
    CHECK_FALSE(with_reference(wrong, job).identical());
}

TEST_CASE("heat map: runs of bytes / threads leave the tail empty and cut pixels") {
    const Image previous = noise(37, 3), current = noise(37, 4);
    const Image now = crop(current, 0, 0, 37, 3);
    for (const int threads : {3, 37, 4, 10, 32}) {
        const Job job = pair_of(previous, now, threads);
        const Image result = made_by(job, [](CudaFramePair& v) {
            v.prepare(runs_of_bytes, one_block(v.settings));
            const int run = 3 * v.pixels / v.settings.block_threads;
            v.set({.launch = [&v, run] {
                runs_of_bytes<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(), run);
            }});
        });
        INFO(threads << " threads");
        CHECK(with_reference(result, job).identical() == (threads == 3 || threads == 37));
        if (threads == 32) CHECK(result.value(36, 2, 2) == 0xA5);  // it was never written
        for (const Variant* variant : kVariants)
            CHECK(with_reference(result_of(*variant->make(job)), job).identical());
    }
}

TEST_CASE("heat map: reads of four bytes cut two pixels of every four") {
    const Image previous = noise(19, 5), current = noise(19, 6);
    const Image now = crop(current, 0, 0, 19, 5);
    const Job job = pair_of(previous, now, 8);
    const Image wrong = made_by(job, [](CudaFramePair& v) {
        v.prepare(cut_at_words, one_block(v.settings));
        v.set({.launch = [&v] {
            cut_at_words<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                              3 * v.pixels);
        }});
    });
    const Image right = heat::operation().reference(job);
    int whole = 0, wrong_pixels = 0;
    for (int i = 0; i < 19 * 5; ++i) {
        bool same = true;
        for (int c = 0; c < 3; ++c)
            same = same && wrong.value(i % 19, i / 19, c) == right.value(i % 19, i / 19, c);
        const bool in_one_word = 3 * i / 4 == (3 * i + 2) / 4;
        whole += same && in_one_word;
        wrong_pixels += !same && !in_one_word;
    }
    CHECK(whole == 47);  // pixels 0 and 3 of every four lie in one word
    CHECK(wrong_pixels > 40);
    CHECK(with_reference(result_of(*heat::v3.make(job)), job).identical());
}

TEST_CASE("heat map: the next pair copies only one frame if the previous one stays on the device") {
    check_pair_after_pair(
        kVariants, [](const Variant&, const Job& job) { return heat::operation().reference(job); });
}

}  // namespace
}  // namespace convolab::defects
