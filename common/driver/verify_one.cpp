// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/verify_one.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "common/base/error.hpp"
#include "common/driver/memory.hpp"
#include "common/driver/supervisor.hpp"
#include "common/image/png.hpp"

namespace convolab {
namespace {

constexpr int kMaximumPictures = 5;             // of failures, per variant
constexpr std::int64_t kLargePixels = 1 << 20;  // above it the memory is asked for first
constexpr double kSecondsPerTap = 1.5e-8;       // of a slow variant, on an emulator

}  // namespace

Tally VerifyOne::compare(const Variant& variant, const Job& job, const std::string& picture,
                         const Expected& expected, std::size_t number) {
    Tally tally;
    tally.jobs = 1;
    std::string failed;
    const double k = job.filter.ksize();
    const double taps =
        static_cast<double>(job.image().samples()) * k * k * filters_of(variant, job.settings);
    const AtWork at_work(variant.name, describe(lab_.operation, variant, job, picture),
                         options_.limit_s(taps * kSecondsPerTap));
    try {
        if (job.image().pixels() > kLargePixels) require_memory(lab_, variant, job);
        const auto convolver = make_convolver(variant, job);
        const Image result = output_of(*convolver);
        const Comparison comparison = convolab::compare(result, expected);
        tally.samples = comparison.samples;
        tally.different = comparison.different;
        if (comparison.identical()) {
            tally.largest_width = job.image().width();
            tally.largest_height = job.image().height();
        } else {
            failed = describe(comparison);
            draw_failure(variant, job, result, *expected.image);
        }
    } catch (const MissingLibrary& why) {
        tally.refuse(why.what());
        tally.without_library = 1;
    } catch (const OverLimit& why) {
        failed = why.what();
    } catch (const Unsupported& why) {
        tally.refuse(why.what());
    } catch (const Skipped& why) {
        tally.jobs = 0;
        tally.refusal = why.what();
        say_once(picture + ", not compared: " + why.what());
    } catch (const std::bad_alloc&) {
        failed = "the machine has not enough memory";
    } catch (const std::exception& why) {
        failed = why.what();
        if (!lab_.backend_of(variant).works())
            start_again_without(variant.name, describe(lab_.operation, variant, job, picture),
                                "failed (" + failed + ")");
    } catch (...) {
        failed = kNoException;
    }
    if (failed.empty()) return tally;
    Tally failure = this->failure(variant, job, picture, failed, number);
    failure.samples = tally.samples;
    failure.different = tally.different;
    return failure;
}

Tally VerifyOne::failure(const Variant& variant, const Job& job, const std::string& picture,
                         const std::string& how, std::size_t number) const {
    Tally tally;
    tally.jobs = tally.failed = 1;
    tally.first = number;
    tally.failure = describe(lab_.operation, variant, job, picture) + ": " + how;
    tally.repeat = lab_.operation.frames == 1  // what `lab run` can do
                       ? repeat_command(options_.program, variant, job, picture)
                       : repeat_command(options_, variant);
    return tally;
}

bool VerifyOne::fits(const Size& size, PixelType type, int channels) try {
    require_picture_memory(size, channels, type, lab_.operation.frames);
    return true;
} catch (const Skipped& why) {
    say_once(std::string("not compared: ") + why.what());
    return false;
}

void VerifyOne::say_once(const std::string& sentence) {
    const std::scoped_lock lock(mutex_);
    if (said_.insert(sentence).second) std::cerr << lab_.name << ": " << sentence << '\n';
}

void VerifyOne::draw_failure(const Variant& variant, const Job& job, const Image& result,
                             const Image& expected) {
    if (options_.pictures.empty()) return;
    const std::scoped_lock lock(mutex_);
    if (drawn_[variant.name]++ >= kMaximumPictures) return;
    const Image& image = job.image();
    std::string name = lab_.name + '_' + variant.name + '_' + job.filter.name() +
                       std::to_string(job.filter.ksize()) + '_' + to_string(job.border) + '_' +
                       std::to_string(image.width()) + 'x' + std::to_string(image.height()) + 'x' +
                       std::to_string(image.channels());
    std::replace(name.begin(), name.end(), ':', '-');
    const std::string path = options_.pictures + '/' + name + ".png";
    try {
        std::filesystem::create_directories(options_.pictures);
        write_png(path, difference_picture(result, expected));
        std::cerr << "difference picture: " << path << '\n';
    } catch (const std::exception& why) {  // the comparison counts without it
        std::cerr << "no difference picture: " << why.what() << '\n';
    }
}

}  // namespace convolab
