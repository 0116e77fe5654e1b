// SPDX-License-Identifier: MIT
// Properties that every variant of every lab must have. The filters are outer products, so that
// every variant supports them, and their taps differ if the property allows it.
#include <map>
#include <numeric>
#include <optional>

#include "common/base/error.hpp"
#include "common/convolution/padding.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/verify.hpp"
#include "common/video/pictures.hpp"
#include "tests/catch.hpp"
#include "tests/lab/capture.hpp"
#include "tests/unfinished_work.hpp"

using namespace convolab;

namespace {

bool is_convolution() { return captured_lab().operation.frames == 1; }

/// (1 2 4) x (1 3 9): all taps but one pair different, no symmetry; sum 91.
Filter lopsided() { return make_filter("3x3: 1 3 9 2 6 18 4 12 36 / 91"); }
/// (1 2 3 5 7) x (1 4 2 3 1); sum 198.
Filter lopsided5() {
    return make_filter("5x5: 1 4 2 3 1 2 8 4 6 2 3 12 6 9 3 5 20 10 15 5 7 28 14 21 7 / 198");
}

Image picture(std::int64_t width, std::int64_t height, int channels) {
    return random_image(width, height, channels, PixelType::uint8, 7);
}

template <class Source>
Image rearranged(const Image& like, std::int64_t width, std::int64_t height, const Source& source) {
    Image out(width, height, like.channels(), like.type());
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (int c = 0; c < like.channels(); ++c) {
                const auto [sx, sy] = source(x, y);
                out.set_value(x, y, c, like.value(sx, sy, c));
            }
    return out;
}
Image flipped(const Image& image) {
    return rearranged(image, image.width(), image.height(), [&](auto x, auto y) {
        return std::pair(image.width() - 1 - x, image.height() - 1 - y);
    });
}
Image transposed(const Image& image) {
    return rearranged(image, image.height(), image.width(),
                      [](auto x, auto y) { return std::pair(y, x); });
}
Filter with_taps(const Filter& filter, std::vector<std::int32_t> taps) {
    return Filter(filter.name(), filter.ksize(), std::move(taps), filter.divisor());
}
Filter flipped(const Filter& filter) {
    return with_taps(filter, {filter.taps().rbegin(), filter.taps().rend()});
}
Filter transposed(const Filter& filter) {
    std::vector<std::int32_t> taps;
    for (int i = 0; i < filter.ksize(); ++i)
        for (int j = 0; j < filter.ksize(); ++j) taps.push_back(filter.tap(i, j));
    return with_taps(filter, std::move(taps));
}

/// A function instead of CHECK around the calls, because Unsupported must get past Catch2.
void check_same(const Image& result, const Image& expected) {
    const Comparison comparison = compare(result, expected);
    INFO(comparison.first);
    CHECK(comparison.identical());
}

/// ThreadSanitizer's work at a barrier grows with the square of the threads of a block.
#ifdef __SANITIZE_THREAD__
constexpr int kLargestCudaBlock = 16;
#else
constexpr int kLargestCudaBlock = 32;
#endif

#define ONLY_FOR_CONVOLUTION \
    if (!is_convolution()) LEAVE_OUT("this lab does not convolve one picture")

}  // namespace

TEST_CASE("every variant gives the reference's samples on the quick plan of verify") {
    const Lab& lab = captured_lab();
    const VerifyPlan plan(true, nullptr, lab.operation);
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

TEST_CASE("a variant states its memory also for a job without output, which fails only later") {
    ONLY_FOR_CONVOLUTION;
    for (const auto& [width, height] : {std::pair{4, 40}, {40, 4}, {3, 40}, {40, 3}, {2, 2}}) {
        const Image image = random_image(width, height, 3, PixelType::uint8, 1);
        const Job job{{&image}, lopsided5(), {BorderRule::valid, 0}, {}};
        for (const Variant* variant : captured_lab().variants)
            if (variant->memory) CHECK(variant->memory(job).host < 1 << 20);
    }
}

TEST_CASE("the work of run() is over when the default stream is: kernel_ms leaves nothing out") {
    ONLY_FOR_CONVOLUTION;
    const Lab& lab = captured_lab();
    Image image;
    for_each_variant(
        [&](int channels) {
            image = random_image(23, 14, channels, PixelType::uint8, 3);
            return Job{{&image}, lopsided5(), {}, {}};
        },
        [&](const Variant& variant, const Job& job) {
            if (variant.run_copies) return;  // total_ms counts there: the variant waits itself
            const auto convolver = make_convolver(variant, job);
            CHECK_FALSE(leaves_work(*convolver, lab.backend_of(variant)));
        });
}

TEST_CASE("a constant image does not change") {
    ONLY_FOR_CONVOLUTION;
    for (const auto& border : all_borders()) {
        if (border.rule == BorderRule::constant) continue;
        Image image;
        for_each_variant(
            [&](int channels) {
                image = Image(23, 14, channels);
                image.poison(201);
                return Job{{&image}, lopsided5(), border, {}};
            },
            [](const Variant& variant, const Job& job) {
                Image expected(job.out_width(), job.out_height(), job.image().channels());
                expected.poison(201);
                check_same(checked_output(variant, job), expected);
            });
    }
}

TEST_CASE("an impulse gives the taps, turned by 180 degrees") {
    ONLY_FOR_CONVOLUTION;
    Image image;
    for_each_variant(
        [&](int channels) {
            image = Image(9, 8, channels);
            for (int c = 0; c < channels; ++c) image.set_value(4, 3, c, 182);
            return Job{{&image}, lopsided(), {BorderRule::constant, 0}, {}};
        },
        [](const Variant& variant, const Job& job) {
            const Image out = checked_output(variant, job);
            for (int c = 0; c < out.channels(); ++c)
                for (int j = -1; j <= 1; ++j)
                    for (int i = -1; i <= 1; ++i)
                        CHECK(out.value(4 - i, 3 - j, c) == 2 * job.filter.tap(i + 1, j + 1));
            CHECK(out.value(6, 3, 0) == 0);
            CHECK(out.value(4, 6, 0) == 0);
        });
}

TEST_CASE("flipping picture and filter flips the output") {
    ONLY_FOR_CONVOLUTION;
    Image image;
    for_each_variant(
        [&](int channels) {
            image = picture(33, 18, channels);
            return Job{{&image}, lopsided5(), {BorderRule::reflect}, {}};
        },
        [](const Variant& variant, const Job& job) {
            const Image turned = flipped(job.image());
            const Job turned_job{{&turned}, flipped(job.filter), job.border, job.settings};
            check_same(checked_output(variant, turned_job), flipped(checked_output(variant, job)));
        });
}

TEST_CASE("transposing picture and filter transposes the output") {
    ONLY_FOR_CONVOLUTION;
    Image image;
    for_each_variant(
        [&](int channels) {
            image = picture(40, 21, channels);
            return Job{{&image}, lopsided(), {BorderRule::replicate}, {}};
        },
        [](const Variant& variant, const Job& job) {
            const Image turned = transposed(job.image());
            const Job turned_job{{&turned}, transposed(job.filter), job.border, job.settings};
            check_same(checked_output(variant, turned_job),
                       transposed(checked_output(variant, job)));
        });
}

TEST_CASE("a part of the picture, with its halo, gives that part of the output") {
    ONLY_FOR_CONVOLUTION;
    Image image;
    for_each_variant(
        [&](int channels) {
            image = picture(50, 37, channels);
            return Job{{&image}, lopsided5(), {BorderRule::replicate}, {}};
        },
        [](const Variant& variant, const Job& job) {
            const Image part = crop(job.image(), 9, 5, 34, 26);
            const Job part_job{{&part}, job.filter, {BorderRule::valid}, job.settings};
            check_same(checked_output(variant, part_job),
                       crop(checked_output(variant, job), 11, 7, 30, 22));
        });
}

TEST_CASE("channels do not affect each other") {
    ONLY_FOR_CONVOLUTION;
    Image image;
    for_each_variant(
        [&](int channels) {
            image = picture(21, 19, channels);
            return Job{{&image}, lopsided5(), {BorderRule::wrap}, {}};
        },
        [](const Variant& variant, const Job& job) {
            const Image whole = checked_output(variant, job);
            Image changed = job.image().copy();
            for (std::int64_t y = 0; y < changed.height(); ++y)
                for (std::int64_t x = 0; x < changed.width(); ++x)
                    changed.set_value(x, y, 0, 255 - changed.value(x, y, 0));
            const Job changed_job{{&changed}, job.filter, job.border, job.settings};
            const Image out = checked_output(variant, changed_job);
            for (std::int64_t y = 0; y < out.height(); ++y)
                for (std::int64_t x = 0; x < out.width(); ++x)
                    for (int c = 1; c < out.channels(); ++c)
                        if (out.value(x, y, c) != whole.value(x, y, c))
                            FAIL("channel " << c << " of " << variant.name << " changed");
        });
}

TEST_CASE("padding by hand equals the border rule, even if the filter is larger than the image") {
    ONLY_FOR_CONVOLUTION;
    for (const auto& border : all_borders()) {
        if (border.rule == BorderRule::valid || border.rule == BorderRule::renormalise) continue;
        for (const auto& size : {std::pair{19, 12}, {3, 2}, {1, 1}}) {
            const int width = size.first, height = size.second;  // clang++ 14 captures no binding
            Image image;
            for_each_variant(
                [&](int channels) {
                    image = picture(width, height, channels);
                    return Job{{&image}, lopsided5(), border, {}};
                },
                [](const Variant& variant, const Job& job) {
                    const Image by_hand = pad(job, job.image().type());
                    const Job hand_job{{&by_hand}, job.filter, {BorderRule::valid}, job.settings};
                    check_same(checked_output(variant, job), checked_output(variant, hand_job));
                });
        }
    }
}

TEST_CASE("running twice gives the same output") {
    ONLY_FOR_CONVOLUTION;
    Image image;
    for_each_variant(
        [&](int channels) {
            image = picture(64, 33, channels);
            return Job{{&image}, lopsided5(), {BorderRule::reflect101}, {}};
        },
        [](const Variant& variant, const Job& job) {
            const auto convolver = make_convolver(variant, job);
            const Image first = output_of(*convolver).copy();
            convolver->poison();
            convolver->run();
            convolver->download();
            check_same(convolver->result(), first);
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
