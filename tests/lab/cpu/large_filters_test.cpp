// SPDX-License-Identifier: MIT
// Runs the variants of a CPU lab with the largest sides and sums, on pictures larger than a tile of
// `fft`. In the emulator this would take minutes.
#include <random>

#include "common/base/error.hpp"
#include "common/driver/repeat.hpp"
#include "common/driver/verify.hpp"
#include "common/media/pictures.hpp"
#include "tests/catch.hpp"
#include "tests/lab/capture.hpp"

using namespace convolab;

static Image random_picture(std::int64_t width, std::int64_t height, int channels) {
    return random_image(width, height, channels, PixelType::uint8, 7);
}

TEST_CASE("large filters: the reference's samples", "[long]") {
    const Lab& lab = captured_lab();
    std::mt19937 random(3);
    const auto filter = [&](int k, bool signs, std::int32_t divisor) {
        std::vector<std::int32_t> taps;
        for (int n = 0; n < k * k; ++n) {
            taps.push_back(65536 / (k * k) - static_cast<std::int32_t>(random() % 2));
            if (signs && random() % 2 == 0) taps.back() *= -1;
        }
        return Filter("large", k, std::move(taps), divisor);
    };
    Image white(9, 7, 3);
    white.poison(255);
    std::vector<std::pair<Image, Job>> jobs;
    for (const Border& border : all_borders())
        for (const int k : {15, 63, 127})
            for (const int channels : {3, 1, 4}) {
                const bool valid = border.rule == BorderRule::valid, signs = jobs.size() % 2 == 0;
                jobs.emplace_back(
                    valid ? random_picture(k + 4, k, channels) : random_picture(7, 5, channels),
                    Job{{}, filter(k, signs, signs ? 999 : 65535), border, {}});
                if (border.rule == BorderRule::renormalise)
                    jobs.back().second.filter = make_filter("box", k);
            }
    jobs.emplace_back(std::move(white), Job{{}, filter(255, false, 65535), {}, {}});
    jobs.emplace_back(random_picture(131, 129, 3), Job{{}, make_filter("gaussian", 15), {}, {}});
    jobs.emplace_back(random_picture(229, 227, 1), Job{{}, filter(31, true, 500), {}, {}});
    jobs.emplace_back(random_picture(3, 389, 3), Job{{}, filter(127, false, 65535), {}, {}});
    std::vector<std::int64_t> compared(lab.variants.size());
    std::vector<std::string> missing(lab.variants.size());
    for (auto& [image, job] : jobs) {
        job.frames = {&image};
        const Image expected = reference_convolution(job);
        for (std::size_t v = 0; v < lab.variants.size(); ++v) {
            const Variant& variant = *lab.variants[v];
            if (!takes(variant, image)) continue;
            job.settings = verify_settings(variant.uses).front();
            INFO(variant.name << ": " << describe(Operation{}, variant, job, describe(image)));
            try {
                const Image result =
                    checked_output(variant, job);  // Unsupported must get past Catch2
                CHECK(compare(result, expected).identical());
                compared[v] += expected.samples();
            } catch (const MissingLibrary& why) {
                missing[v] = why.what();
            } catch (const Unsupported&) {
            }
        }
    }
    for (std::size_t v = 0; v < lab.variants.size(); ++v)
        was_checked(*lab.variants[v], compared[v], missing[v]);
}
