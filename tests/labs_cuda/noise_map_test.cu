// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// videostream2021, noise map: the difference in a signed byte, runs that drop the frame's tail and cut
// pixels, vectors that cut pixels. And what the reduction and the scan must give.
#include "labs/09_noise_map/parts/change.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "tests/labs_cuda/frame_pairs.hpp"

namespace convolab::noise {
extern const Variant v1, v2, v3, grid, count, list;
}

namespace convolab::defects {
namespace {

using noise::kThreshold, noise::pixel_changed, noise::sample_changed;

const Variant* const kVariants[] = {&noise::v1,   &noise::v2,    &noise::v3,
                                    &noise::grid, &noise::count, &noise::list};

Image reference(const Variant& variant, const Job& job) {
    const Operation& operation =
        variant.operation != nullptr ? *variant.operation : noise::red_on_black();
    return operation.reference(job);
}
void check_all_variants(const Job& job) {
    for (const Variant* variant : kVariants) {
        INFO(variant->name << ", " << job.settings.block_threads << " threads");
        CHECK(compare(result_of(*variant->make(job)), reference(*variant, job)).identical());
    }
}

Image gray(std::int64_t width, std::int64_t height, int value) {
    Image image(width, height, 3);
    image.poison(static_cast<std::uint8_t>(value));
    return image;
}

// ---- the report's difference: a signed byte ----------------------------------------------------------
static __global__ void in_a_signed_byte(const std::uint8_t* d_previous,
                                        const std::uint8_t* d_current, std::uint8_t* d_out,
                                        int pixels) {
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        bool changed = false;
        for (int c = 0; c < 3; ++c) {
            const auto d = static_cast<signed char>(d_current[3 * i + c] - d_previous[3 * i + c]);
            changed = changed || abs(d) > kThreshold;  // the defect: 236 is -20
        }
        d_out[3 * i] = changed ? 255 : 0;
        d_out[3 * i + 1] = d_out[3 * i + 2] = 0;
    }
}

// ---- the report's runs: whole vectors of 16 bytes, rounded down ---------------------------------------
static __global__ void runs_of_vectors(const std::uint8_t* d_previous,
                                       const std::uint8_t* d_current, std::uint8_t* d_out,
                                       int run) {
    const int first =
        threadIdx.x * run;  // the defects: not a pixel's first byte; what is left over
    for (int i = first; i + 2 < first + run; i += 3) {
        d_out[i] = pixel_changed(d_previous + i, d_current + i) ? 255 : 0;
        d_out[i + 1] = d_out[i + 2] = 0;
    }
}

// ---- the report's vectors: what a pixel has in the next one is not seen -------------------------------
static __global__ void cut_at_vectors(const std::uint8_t* d_previous, const std::uint8_t* d_current,
                                      std::uint8_t* d_out, int pixels) {
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        const int end = (3 * i / 16 + 1) * 16;
        bool changed = false;
        for (int at = 3 * i; at < 3 * i + 3 && at < end; ++at)  // the defect: ends with the vector
            changed = changed || sample_changed(d_previous[at], d_current[at]);
        d_out[3 * i] = changed ? 255 : 0;
        d_out[3 * i + 1] = d_out[3 * i + 2] = 0;
    }
}

TEST_CASE("noise map: differences of 236 to 255 are changes, and none in a signed byte") {
    Image previous = gray(511, 1, 0), current = gray(511, 1, 0);
    for (int x = 0; x < 511; ++x)  // -255 to 255, in another channel each time
        (x < 255 ? previous : current).set_value(x, 0, x % 3, std::abs(x - 255));
    const Job job = pair_of(previous, current, 32);
    const Image wrong = made_by(job, [](CudaFramePair& v) {
        v.prepare(in_a_signed_byte, one_block(v.settings));
        v.launches([&v] {
            in_a_signed_byte<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                  v.pixels);
        });
    });
    const Image right = reference(noise::v1, job);
    for (int x = 0; x < 511; ++x) {
        const int difference = std::abs(x - 255);
        INFO("difference " << x - 255);
        CHECK(right.value(x, 0, 0) == (difference > kThreshold ? 255 : 0));
        CHECK((wrong.value(x, 0, 0) != right.value(x, 0, 0)) == (difference >= 236));
    }
    check_all_variants(job);
}

TEST_CASE("noise map: runs of whole vectors drop the frame's tail and begin inside of pixels") {
    const Image previous = gray(50, 10, 90), current = gray(50, 10, 200);
    for (const int threads : {1, 4, 7}) {
        const Job job = pair_of(previous, current, threads);
        const Image wrong = made_by(job, [](CudaFramePair& v) {
            v.prepare(runs_of_vectors, one_block(v.settings));
            const int run = 3 * v.pixels / v.settings.block_threads / 16 * 16;
            v.launches([&v, run] {
                runs_of_vectors<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(), run);
            });
        });
        INFO(threads << " threads");
        CHECK(wrong.value(49, 9, 2) == 0xA5);  // 1500 bytes are 93 vectors and 12 bytes
        int red = 0, elsewhere = 0;
        for (int i = 0; i < 500; ++i) {
            red += wrong.value(i % 50, i / 50, 0) == 255;
            elsewhere += wrong.value(i % 50, i / 50, 1) == 255;
        }
        CHECK(red < 500);
        CHECK((elsewhere > 0) == (threads > 1));  // a mark on a green sample
        check_all_variants(job);
    }
}

TEST_CASE("noise map: vectors of 16 bytes cut pixels 5 and 10 of every 16") {
    const Image previous = gray(16, 3, 100);
    for (int c = 0; c < 3; ++c) {
        Image current = previous;
        for (int i = 0; i < 48; ++i) current.set_value(i % 16, i / 16, c, 200);
        const Job job = pair_of(previous, current, 4);
        const Image wrong = made_by(job, [](CudaFramePair& v) {
            v.prepare(cut_at_vectors, one_block(v.settings));
            v.launches([&v] {
                cut_at_vectors<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                    v.pixels);
            });
        });
        for (int i = 0; i < 48; ++i) {  // pixel 5 has bytes 15 to 17, pixel 10 has 30 to 32
            const bool seen = !(i % 16 == 5 && c > 0) && !(i % 16 == 10 && c > 1);
            INFO("pixel " << i << ", channel " << c);
            CHECK(wrong.value(i % 16, i / 16, 0) == (seen ? 255 : 0));
        }
        check_all_variants(job);
    }
}

TEST_CASE(
    "noise map: nothing, everything, one pixel at a time; fewer pixels than a vector or a warp") {
    for (const auto& [width, height] : {std::pair{1, 1}, {5, 3}, {16, 1}, {513, 1}, {129, 12}}) {
        const Image previous = gray(width, height, 100);
        check_all_variants(pair_of(previous, previous, 7));
        check_all_variants(pair_of(previous, gray(width, height, 200), 7));
        for (const int at : {0, width * height / 2, width * height - 1}) {
            Image current = previous;
            current.set_value(at % width, at / width, at % 3, 0);
            check_all_variants(pair_of(previous, current, 7));
        }
    }
}

TEST_CASE("noise map: the list is in order, also where the scan takes several rounds") {
    const Image previous = gray(1000, 600, 100);  // 1172 groups of 512 pixels, 1024 per round
    Image current = previous;
    const Image random = defects::noise(1000, 600);
    for (std::int64_t i = 0; i < current.samples(); ++i)
        if (random.data<std::uint8_t>()[i] < 10) current.data<std::uint8_t>()[i] = 255;
    const Job job = pair_of(previous, current, 32);
    const Image list = result_of(*noise::list.make(job));
    const Image counts = result_of(*noise::count.make(job));
    CHECK(compare(list, reference(noise::list, job)).identical());
    CHECK(compare(counts, reference(noise::count, job)).identical());
    CHECK(counts.value(0, 0, 0) > 60000);
}

TEST_CASE("noise map: frame after frame, also where the marks are written over the previous one") {
    check_pair_after_pair(kVariants, reference);
}

}  // namespace
}  // namespace convolab::defects
