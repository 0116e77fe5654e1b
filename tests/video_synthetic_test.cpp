// SPDX-License-Identifier: MIT
#include <cmath>

#include "common/media/synthetic.hpp"
#include "tests/video_kit.hpp"

using namespace convolab;
using namespace convolab::test;

namespace {

std::uint32_t hash(const std::string& name, const SyntheticSettings& settings) {
    const auto source = open_source(name, settings);
    std::string bytes;
    for (Image frame; source->next(frame);)
        bytes.append(reinterpret_cast<const char*>(frame.raw()), frame.bytes());
    return crc_32(bytes);
}

double mean_difference(const Image& a, const Image& b) {
    double sum = 0;
    for (std::int64_t i = 0; i < a.samples(); ++i)
        sum += std::abs(a.data<std::uint8_t>()[i] - b.data<std::uint8_t>()[i]);
    return sum / static_cast<double>(a.samples());
}

}  // namespace

// Results are comparable only on the same clip. Whoever changes the clip must change these values,
// and announce it.
TEST_CASE("synthetic: the same bytes on every machine, with every compiler") {
    CHECK(hash("moving", {.width = 160, .height = 90, .frames = 3}) == 0xE72D2636);
    CHECK(hash("moving", {.width = 97, .height = 31, .frames = 40, .seed = 7}) == 0x60E055BD);
    CHECK(hash("panning", {.width = 160, .height = 90, .frames = 5}) == 0x4DDC723C);
    CHECK(hash("static", {.width = 33, .height = 17, .frames = 3}) == 0x85E15D5D);
    CHECK(hash("black", {.width = 33, .height = 17, .frames = 3}) == 0xDF86C247);
    CHECK(hash("moving", {.width = 1, .height = 1, .frames = 2}) == 0x87B54F3C);
}

TEST_CASE("synthetic: what moves in each kind") {
    const SyntheticSettings quiet{.width = 320, .height = 180, .frames = 20, .noise = {0, 0}};
    const auto difference = [&](const std::string& name, const SyntheticSettings& settings) {
        const auto frames = all_frames(*open_source(name, settings));
        REQUIRE(frames.size() == 20);
        return mean_difference(frames[10], frames[11]);
    };
    CHECK(difference("black", quiet) == 0);
    CHECK(difference("static", quiet) == 0);
    CHECK(difference("moving", quiet) > 0.1);
    SyntheticSettings large = quiet;  // the view moves by whole pixels
    large.width = 960, large.height = 540;
    CHECK(difference("panning", large) > 3);
    SyntheticSettings noisy = quiet;
    noisy.noise = {};
    CHECK(difference("static", noisy) > 1);
    CHECK(difference("black", noisy) > 0.5);
}

TEST_CASE("synthetic: the noise has the variance of its settings") {
    const SensorNoise noise{.read_in_16ths = 40, .shot_in_256ths = 64};  // 2.5, 0.25 per step
    for (const int value : {40, 128, 215}) {
        Image image(400, 400, 3);
        std::memset(image.raw(), value, image.bytes());
        NoiseMaker(noise, 3).add(image, 5);
        double sum = 0, squares = 0;
        for (std::int64_t i = 0; i < image.samples(); ++i) {
            const double d = image.data<std::uint8_t>()[i] - value;
            sum += d, squares += d * d;
        }
        const auto n = static_cast<double>(image.samples());
        const double variance = squares / n - sum / n * sum / n;
        const double wanted = 2.5 * 2.5 + 0.25 * value + 1.0 / 12;  // the last term: rounding
        INFO("value " << value << ", mean " << sum / n << ", variance " << variance);
        CHECK(std::abs(sum / n) < 0.05);
        CHECK(std::abs(variance / wanted - 1) < 0.02);
    }
}

TEST_CASE("synthetic: noise differs between frames, seeds and samples, and repeats with the seed") {
    const auto noisy = [](std::uint64_t seed, std::int64_t frame) {
        Image image(64, 64, 3);
        std::memset(image.raw(), 128, image.bytes());
        NoiseMaker({}, seed).add(image, frame);
        return image;
    };
    CHECK(same(noisy(1, 4), noisy(1, 4)));
    CHECK(mean_difference(noisy(1, 4), noisy(1, 5)) > 2);
    CHECK(mean_difference(noisy(1, 4), noisy(2, 4)) > 2);
    CHECK(mean_difference(noisy(1, 0), noisy(0, 1)) > 2);
}

TEST_CASE("synthetic: impossible settings are errors") {
    const auto refused = [](const SyntheticSettings& settings) {
        return refusal([&] { open_source("moving", settings); });
    };
    says(refused({.width = 0}), {"0x1080", "pixels per side"});
    says(refused({.width = 65536}), {"65536x1080"});
    says(refused({.width = 65535, .height = 65535}), {"65535x65535", "samples in all"});
    says(refused({.width = 8, .height = 8, .frames = 0}), {"frames", "not 0"});
    says(refused({.width = 8, .height = 8, .noise = {-1, 0}}), {"noise", "at least 0"});
    says(refused({.width = 8, .height = 8, .noise = {513, 0}}), {"at most 32"});
    CHECK(refused({.width = 8, .height = 8, .noise = {512, 0}}).empty());
    says(refusal([] { open_source(""); }), {"no name"});
}
