// SPDX-License-Identifier: MIT
// What every variant of every lab must do.
#include <map>

#include "common/base/error.hpp"
#include "common/driver/repeat.hpp"
#include "common/driver/verify.hpp"
#include "common/media/pictures.hpp"
#include "tests/catch.hpp"
#include "tests/lab/capture.hpp"
#include "tests/unfinished_work.hpp"

using namespace convolab;

namespace {

/// ThreadSanitizer's work at a barrier grows with the square of the threads of a block.
#ifdef __SANITIZE_THREAD__
constexpr int kLargestCudaBlock = 16;
#else
constexpr int kLargestCudaBlock = 32;
#endif

#define ONLY_FOR_CONVOLUTION \
    if (captured_lab().operation.frames != 1) LEAVE_OUT("this lab does not convolve one picture")

}  // namespace

TEST_CASE("every variant gives the reference's samples on the quick plan of verify") {
    const Lab& lab = captured_lab();
    const VerifyPlan plan({.quick = true}, lab.operation, lab.variants);
    std::vector<std::int64_t> compared(lab.variants.size());
    std::vector<std::string> missing(lab.variants.size());
    for (const VerifyCase& one : plan.cases) {
        const VerifyPicture& picture = plan.pictures[one.picture];
        Job job{{}, plan.filters[one.filter], all_borders()[one.border], {}};
        const Image current = with_noise(picture.image.copy(), 1);
        job.frames.push_back(&picture.image);
        if (lab.operation.frames == 2) job.frames.push_back(&current);
        std::map<std::pair<const Operation*, int>, Expected> all;
        for (std::size_t v = 0; v < lab.variants.size(); ++v) {
            const Variant& variant = *lab.variants[v];
            if (!takes(variant, picture.image)) continue;
            job.settings = plan.settings(one, variant);
            if (!lab.backend->is_concurrent() && job.settings.block > kLargestCudaBlock) continue;
            try {
                const Image result = checked_output(variant, job);
                const Operation& operation = lab.operation_of(variant);
                const Expected& expected =
                    all.try_emplace({&operation, filters_of(variant, job.settings)}, operation, job)
                        .first->second;
                const Comparison comparison = compare(result, expected);
                compared[v] += comparison.samples;
                if (comparison.identical()) continue;
                FAIL_CHECK(variant.name << ", " << describe(Operation{}, variant, job, picture.name)
                                        << ": " << describe(comparison));
            } catch (const MissingLibrary& why) {
                missing[v] = why.what();
            } catch (const Unsupported&) {
            }
        }
    }
    for (std::size_t v = 0; v < lab.variants.size(); ++v)
        was_checked(*lab.variants[v], compared[v], missing[v]);
}

TEST_CASE("a variant's memory is known also for a job without output, which fails only later") {
    ONLY_FOR_CONVOLUTION;
    for (const auto& [width, height] : {std::pair{4, 40}, {40, 4}, {3, 40}, {40, 3}, {2, 2}}) {
        const Image image = random_image(width, height, 3, PixelType::uint8, 1);
        const Job job{{&image}, make_filter("box", 5), {BorderRule::valid, 0}, {}};
        for (const Variant* variant : captured_lab().variants) {
            CHECK(memory_need(*variant, job).host > 0);
            CHECK(memory_need(*variant, job).host < 1 << 20);
        }
    }
}

TEST_CASE("the work of run() is over when the default stream is: kernel_ms leaves nothing out") {
    ONLY_FOR_CONVOLUTION;
    const Lab& lab = captured_lab();
    for_each_variant([&](const Variant& variant, const Job& job) {
        if (variant.run_copies) return;  // total_ms counts there: the variant waits itself
        const auto convolver = make_convolver(variant, job);
        CHECK_FALSE(leaves_work(*convolver, lab.backend_of(variant)));
    });
}

TEST_CASE("running twice gives the same output") {
    ONLY_FOR_CONVOLUTION;
    for_each_variant([](const Variant& variant, const Job& job) {
        const auto convolver = make_convolver(variant, job);
        const Image first = output_of(*convolver).copy();
        convolver->poison();
        convolver->run();
        convolver->download();
        const bool is_same = compare(convolver->result(), first).identical();
        CHECK(is_same);  // alone, because Unsupported must get past Catch2
    });
}

TEST_CASE("every variant has a unique name and an idea") {
    std::vector<std::string> names;
    for (const auto* variant : captured_lab().variants) {
        CHECK_FALSE(variant->idea.empty());
        CHECK(std::find(names.begin(), names.end(), variant->name) == names.end());
        names.push_back(variant->name);
    }
}
