// SPDX-License-Identifier: MIT
// videostream2021, noise map: the difference in a signed byte (2.0.2 to 2.0.4), and runs that drop
// the frame's tail and cut pixels. Also the results of the reduction and the scan.
#include "common/noise_map/change.hpp"
#include "labs/09_noise_map/parts/operations.hpp"
#include "labs/09_noise_map/variants.hpp"
#include "tests/labs_cuda/frame_pairs.hpp"

namespace convolab::defects {
namespace {

using noise::kThreshold, noise::sample_changed;

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

// ---- the report's difference: a signed byte (2.0.2) ---------------------------------------------
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

// ---- the report's runs: whole vectors of 16 bytes, rounded down (2.0.2) -------------------------
static __global__ void runs_of_vectors(const std::uint8_t* d_previous,
                                       const std::uint8_t* d_current, std::uint8_t* d_out,
                                       int run) {
    const int first = threadIdx.x * run;  // the defects: inside a pixel, and unassigned bytes
    bool changed = false;
    for (int i = first; i < first + run; ++i) {
        changed = changed || sample_changed(d_previous[i], d_current[i]);
        d_out[i] = i % 3 == 2 && changed ? 255 : 0;  // its frames are BGR, so red comes last
        if (i % 3 == 2) changed = false;
    }
}

TEST_CASE("noise map: differences of 236 to 255 are changes, and none in a signed byte") {
    Image previous = gray(511, 1, 0), current = gray(511, 1, 0);
    for (int x = 0; x < 511; ++x)  // -255 to 255, each in another channel
        (x < 255 ? previous : current).set_value(x, 0, x % 3, std::abs(x - 255));
    const Job job = pair_of(previous, current, 32);
    const Image wrong = made_by(job, [](CudaFramePair& v) {
        v.prepare(in_a_signed_byte, one_block(v.settings));
        v.set({.launch = [&v] {
            in_a_signed_byte<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(),
                                                  v.pixels);
        }});
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

TEST_CASE("noise map: runs of whole vectors drop the tail and cut pixels between two runs") {
    const Image previous = gray(50, 10, 90);
    Image current = previous.copy();
    for (int i = 0; i < 500; ++i) current.set_value(i % 50, i / 50, 0, 200);
    for (const int threads : {1, 4, 7}) {
        const Job job = pair_of(previous, current, threads);
        const int run = 3 * 500 / threads / 16 * 16;  // 1500 bytes are 93 vectors and 12 bytes
        const Image wrong = made_by(job, [run](CudaFramePair& v) {
            v.prepare(runs_of_vectors, one_block(v.settings));
            v.set({.launch = [&v, run] {
                runs_of_vectors<<<v.grid, v.block>>>(v.d_previous(), v.d_current(), v.d_out(), run);
            }});
        });
        INFO(threads << " threads");
        int missed = 0;
        for (int i = 0; i < 500; ++i) {
            const int red = 3 * i + 2;
            const bool written = red < threads * run;
            const bool cut = 3 * i < red / run * run;
            CHECK(wrong.value(i % 50, i / 50, 2) == (!written ? 0xA5 : cut ? 0 : 255));
            missed += written && cut;
        }
        CHECK((missed > 0) == (threads > 1));
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
            Image current = previous.copy();
            current.set_value(at % width, at / width, at % 3, 0);
            check_all_variants(pair_of(previous, current, 7));
        }
    }
}

TEST_CASE("noise map: the list is in order, even if the scan takes several rounds") {
    const Image previous = gray(1000, 600, 100);  // 1172 groups of 512 pixels, 1024 per round
    Image current = previous.copy();
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

TEST_CASE("noise map: frame after frame, even if the marks overwrite the previous frame") {
    check_pair_after_pair(kVariants, reference);
}

}  // namespace
}  // namespace convolab::defects
