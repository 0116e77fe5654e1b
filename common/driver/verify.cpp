// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab verify: every variant against the reference, byte for byte, on the awkward pictures of
// verify_plan.hpp and on the scene at the protocol's sizes. A table on the terminal, one CSV
// row per variant, filter, side and border, a picture of each failure. Nothing compared is a
// failure too.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/memory.hpp"
#include "common/driver/pictures.hpp"
#include "common/driver/verify_plan.hpp"
#include "common/driver/verify_tally.hpp"
#include "common/image/png.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

constexpr int kMaximumPictures = 5;  // of failures, a variant

/// What the reference makes of a job; no image where it refuses it.
struct Expected {
    Expected(const Operation& operation, const Job& job) {
        try {
            image = operation.reference(job);
            allowed = operation.allowed_difference(job);
        } catch (const Unsupported&) {
        }
    }
    std::optional<Image> image;
    double allowed = 0;
};

class Verify {
  public:
    Verify(const Lab& lab, const Options& options)
        : lab_(lab),
          options_(options),
          filters_(verify_filters()),
          tallies_(lab, options.variants, filters_) {}

    int run();

  private:
    void compare_all_pictures();
    void compare_picture(const VerifyPicture& picture);
    void compare_scene(const Size& size);
    Tally compare_one(const Variant& variant, const Job& job, const VerifyPicture& picture,
                      const Expected& expected);
    void draw_failure(const Variant& variant, const Job& job, const VerifyPicture& picture,
                      const Image& result, const Image& expected);

    const Lab& lab_;
    const Options& options_;
    std::vector<Filter> filters_;
    Tallies tallies_;
    std::mutex mutex_;
    std::map<std::string, int> drawn_;
};

void Verify::draw_failure(const Variant& variant, const Job& job, const VerifyPicture& picture,
                          const Image& result, const Image& expected) {
    if (options_.pictures.empty()) return;
    const std::scoped_lock lock(mutex_);
    if (drawn_[variant.name]++ >= kMaximumPictures) return;
    std::filesystem::create_directories(options_.pictures);
    const std::string size = std::to_string(picture.image.width()) + 'x' +
                             std::to_string(picture.image.height()) + 'x' +
                             std::to_string(picture.image.channels());
    std::string name = lab_.name + '_' + variant.name + '_' + job.filter.name() +
                       std::to_string(job.filter.ksize()) + '_' + to_string(job.border) + '_' +
                       size;
    std::replace(name.begin(), name.end(), ':', '-');
    const std::string path = options_.pictures + '/' + name + ".png";
    write_png(path, difference_picture(result, expected));
    std::cerr << "difference picture: " << path << '\n';
}

Tally Verify::compare_one(const Variant& variant, const Job& job, const VerifyPicture& picture,
                          const Expected& expected) {
    Tally tally;
    tally.jobs = 1;
    try {
        const auto convolver = make_convolver(variant, job);
        if (!expected.image) throw Error("it computes what the reference refuses");
        convolver->poison();
        convolver->upload();
        convolver->run();
        convolver->download();
        const Image result = convolver->result();
        const auto comparison = compare(result, *expected.image, expected.allowed);
        tally.samples = comparison.samples;
        tally.different = comparison.different;
        if (!comparison.identical()) {
            draw_failure(variant, job, picture, result, *expected.image);
            throw Error(comparison.first);
        }
        tally.largest_width = picture.image.width();
        tally.largest_height = picture.image.height();
    } catch (const Unsupported& why) {
        tally.unsupported = 1;
        tally.reason = why.what();
    } catch (const Error& why) {
        tally.failed = 1;
        tally.reason = picture.name + ", " + describe(picture.image) + ", threads " +
                       std::to_string(job.settings.threads) + ", block " +
                       std::to_string(job.settings.block) + ": " + why.what();
    }
    return tally;
}

void Verify::compare_picture(const VerifyPicture& picture) {
    std::vector<Image> noisy;  // the later frames of a video job
    for (int i = 1; i < lab_.operation.frames; ++i)
        noisy.push_back(random_image(picture.image.width(), picture.image.height(),
                                     picture.image.channels(), picture.image.type(), i));
    for (std::size_t f = 0; f < filters_.size(); ++f)
        for (std::size_t b = 0; b < all_borders().size(); ++b) {
            if (!picture.every_filter && b != f % all_borders().size()) continue;
            if (interrupted()) return;
            Job job{{&picture.image}, filters_[f], all_borders()[b], {}};
            for (const auto& frame : noisy) job.frames.push_back(&frame);
            std::optional<Expected> expected;
            for (std::size_t v = 0; v < options_.variants.size(); ++v) {
                const Variant& variant = *options_.variants[v];
                if (!takes(variant, picture.image)) continue;
                Tally sum;
                if (!expected) {
                    job.settings.threads = lab_.backend->is_concurrent() ? 1 : cpu_count();
                    expected.emplace(lab_.operation, job);
                }
                for (const auto& settings : verify_settings(variant, *lab_.backend)) {
                    job.settings = settings;
                    sum += compare_one(variant, job, picture, *expected);
                }
                const std::scoped_lock lock(mutex_);
                tallies_.at(v, f, b) += sum;
            }
        }
}

/// The scene at a size of the protocol, as bench gives it to each variant: the Gaussian of side 5,
/// the edge repeated, threads for all CPUs.
void Verify::compare_scene(const Size& size) {
    struct Scene {
        std::vector<VerifyPicture> frames;
        std::optional<Expected> expected;
    };
    std::map<std::pair<PixelType, int>, Scene> scenes;
    const auto f = static_cast<std::size_t>(std::find_if(filters_.begin(), filters_.end(),
                                                         [](const Filter& filter) {
                                                             return filter.name() == "gaussian" &&
                                                                    filter.ksize() == 5;
                                                         }) -
                                            filters_.begin());
    const auto b = static_cast<std::size_t>(
        std::find(all_borders().begin(), all_borders().end(), Border{}) - all_borders().begin());
    for (std::size_t v = 0; v < options_.variants.size() && !interrupted(); ++v) {
        const Variant& variant = *options_.variants[v];
        Scene& scene = scenes[{variant.types.front(), variant.channels.front()}];
        const bool is_new = scene.frames.empty();
        for (int i = 0; is_new && i < lab_.operation.frames; ++i)
            scene.frames.push_back(
                {"scene " + size.name, PictureSource{}.picture(size, variant.channels.front(),
                                                               variant.types.front(), i)});
        Job job{{}, filters_[f], all_borders()[b], {}};
        job.settings.threads = cpu_count();
        job.settings.frames = 2;
        for (const auto& frame : scene.frames) job.frames.push_back(&frame.image);
        if (!scene.expected) scene.expected.emplace(lab_.operation, job);
        try {
            require_memory(lab_, variant, job);
            tallies_.at(v, f, b) +=
                compare_one(variant, job, scene.frames.front(), *scene.expected);
        } catch (const Skipped& why) {
            std::cerr << lab_.name << ' ' << variant.name << ' ' << size.name << ": not compared. "
                      << why.what() << '\n';
        }
    }
}

void Verify::compare_all_pictures() {
    std::vector<VerifyPicture> pictures = verify_pictures(options_.quick, options_.image);
    // Large pictures first, so that the last worker does not end alone.
    std::stable_sort(pictures.begin(), pictures.end(), [](const auto& a, const auto& b) {
        return a.image.pixels() * a.every_filter > b.image.pixels() * b.every_filter;
    });
    std::atomic<std::size_t> next{0};
    std::exception_ptr trouble;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < pictures.size() && !interrupted(); i = next++)
                compare_picture(pictures[i]);
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            trouble = std::current_exception();
            next = pictures.size();
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; lab_.backend->is_concurrent() && i < cpu_count(); ++i)
        others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
    if (trouble) std::rethrow_exception(trouble);
}

int Verify::run() {
    if (!options_.only_sizes) compare_all_pictures();
    for (const auto& size : options_.sizes)
        if (!interrupted()) compare_scene(size);
    if (interrupted()) {
        std::cerr << lab_.name << ": interrupted, nothing was written\n";
        return interrupted_exit_code();
    }
    if (!options_.csv.empty()) tallies_.write_csv(options_.csv, options_.fresh);
    return tallies_.print_table() > 0 ? 1 : 0;
}

}  // namespace

int verify_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    return Verify(lab, options).run();
}

}  // namespace convolab
