// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab verify: every variant against the reference, byte for byte. A table on the terminal, one CSV
// row per variant, filter, side and border, a picture of each failure. Nothing compared is a
// failure too.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "common/driver/commands.hpp"
#include "common/driver/pictures.hpp"
#include "common/driver/verify_plan.hpp"
#include "common/error.hpp"
#include "common/machine.hpp"
#include "common/png.hpp"

namespace convolab {
namespace {

constexpr int kMostPictures = 5;  // of failures, a variant

/// Of one variant with one filter and border, over all pictures and settings.
struct Tally {
    std::int64_t jobs = 0;
    std::int64_t samples = 0;
    std::int64_t different = 0;
    std::int64_t failed = 0;
    std::int64_t unsupported = 0;
    std::string reason;  // of the first failure, else of the first refusal

    void operator+=(const Tally& other) {
        if (!other.reason.empty() && (reason.empty() || (other.failed > 0 && failed == 0)))
            reason = other.reason;
        jobs += other.jobs;
        samples += other.samples;
        different += other.different;
        failed += other.failed;
        unsupported += other.unsupported;
    }
};

class Verify {
  public:
    Verify(const Lab& lab, const Options& options)
        : lab_(lab),
          options_(options),
          pictures_(verify_pictures(options.quick, options.image)),
          filters_(verify_filters()),
          tallies_(options.variants.size() * filters_.size() * all_borders().size()) {}

    int run();

  private:
    Tally& tally(std::size_t variant, std::size_t filter, std::size_t border) {
        return tallies_[(variant * filters_.size() + filter) * all_borders().size() + border];
    }
    void compare_picture(const VerifyPicture& picture);
    Tally compare_one(const Variant& variant, const Job& job, const VerifyPicture& picture,
                      const std::optional<Image>& expected, double allowed);
    void draw_failure(const Variant& variant, const Job& job, const VerifyPicture& picture,
                      const Image& result, const Image& expected);
    void write_csv();
    int print_table();

    const Lab& lab_;
    const Options& options_;
    std::vector<VerifyPicture> pictures_;
    std::vector<Filter> filters_;
    std::vector<Tally> tallies_;
    std::mutex mutex_;
    std::map<std::string, int> drawn_;
};

void Verify::draw_failure(const Variant& variant, const Job& job, const VerifyPicture& picture,
                          const Image& result, const Image& expected) {
    if (options_.pictures.empty()) return;
    const std::scoped_lock lock(mutex_);
    if (drawn_[variant.name]++ >= kMostPictures) return;
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
                          const std::optional<Image>& expected, double allowed) {
    Tally tally;
    tally.jobs = 1;
    try {
        const auto convolver = make_convolver(variant, job);
        if (!expected) throw Error("it computes what the reference refuses");
        convolver->poison();
        convolver->upload();
        convolver->run();
        convolver->download();
        lab_.backend->wait();
        const Image result = convolver->result();
        const auto comparison = compare(result, *expected, allowed);
        tally.samples = comparison.samples;
        tally.different = comparison.different;
        if (!comparison.identical()) {
            draw_failure(variant, job, picture, result, *expected);
            throw Error(comparison.first);
        }
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
            std::optional<Image> expected;
            double allowed = 0;
            for (std::size_t v = 0; v < options_.variants.size(); ++v) {
                const Variant& variant = *options_.variants[v];
                if (!takes(variant, picture.image)) continue;
                Tally sum;
                if (!expected) {
                    job.settings.threads = lab_.backend->is_concurrent() ? 1 : cpu_count();
                    try {
                        expected = lab_.operation.reference(job);
                        allowed = lab_.operation.allowed_difference(job);
                    } catch (const Unsupported&) {
                    }
                }
                for (const auto& settings : verify_settings(variant, *lab_.backend)) {
                    job.settings = settings;
                    sum += compare_one(variant, job, picture, expected, allowed);
                }
                const std::scoped_lock lock(mutex_);
                tally(v, f, b) += sum;
            }
        }
}

void Verify::write_csv() {
    if (options_.csv.empty()) return;
    ResultFile file(options_.csv, kVerifyColumns, options_.fresh);
    for (std::size_t v = 0; v < options_.variants.size(); ++v)
        for (std::size_t f = 0; f < filters_.size(); ++f)
            for (std::size_t b = 0; b < all_borders().size(); ++b) {
                const Tally& t = tally(v, f, b);
                if (t.jobs == 0) continue;
                Row row = origin_row(lab_, options_.variants[v]->name);
                const Filter& filter = filters_[f];
                row["filter"] = filter.name();
                row["ksize"] = std::to_string(filter.ksize());
                row["border"] = to_string(all_borders()[b]);
                row["jobs"] = std::to_string(t.jobs);
                row["samples_compared"] = std::to_string(t.samples);
                row["samples_different"] = std::to_string(t.different);
                row["status"] = t.failed > 0 ? "failed" : t.samples > 0 ? "ok" : "unsupported";
                if (t.failed > 0 || t.samples == 0) row["reason"] = t.reason;
                file.append(row);
            }
}

/// How many variants failed, or were compared with nothing.
int Verify::print_table() {
    int bad = 0;
    std::cout << std::left << std::setw(17) << "lab" << ' ' << std::setw(20) << "variant"
              << std::right << std::setw(10) << "identical" << std::setw(12) << "unsupported"
              << std::setw(8) << "failed" << std::setw(16) << "samples" << '\n';
    for (std::size_t v = 0; v < options_.variants.size(); ++v) {
        Tally sum;
        for (std::size_t f = 0; f < filters_.size(); ++f)
            for (std::size_t b = 0; b < all_borders().size(); ++b) sum += tally(v, f, b);
        const auto identical = sum.jobs - sum.unsupported - sum.failed;
        std::cout << std::left << std::setw(17) << lab_.name << ' ' << std::setw(20)
                  << options_.variants[v]->name << std::right << std::setw(10) << identical
                  << std::setw(12) << sum.unsupported << std::setw(8) << sum.failed << std::setw(16)
                  << sum.samples << '\n';
        if (sum.failed > 0) std::cout << "    FAILED, first: " << sum.reason << '\n';
        if (identical == 0 && sum.failed == 0)
            std::cout << "    FAILED: nothing was compared"
                      << (sum.reason.empty() ? "" : ", " + sum.reason) << '\n';
        bad += sum.failed > 0 || identical == 0;
    }
    return bad;
}

int Verify::run() {
    // Large pictures first, so that the last worker does not end alone.
    std::stable_sort(pictures_.begin(), pictures_.end(), [](const auto& a, const auto& b) {
        return a.image.pixels() * a.every_filter > b.image.pixels() * b.every_filter;
    });
    std::atomic<std::size_t> next{0};
    std::exception_ptr trouble;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < pictures_.size() && !interrupted(); i = next++)
                compare_picture(pictures_[i]);
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            trouble = std::current_exception();
            next = pictures_.size();
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; lab_.backend->is_concurrent() && i < cpu_count(); ++i)
        others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
    if (trouble) std::rethrow_exception(trouble);
    if (interrupted()) {
        std::cerr << lab_.name << ": interrupted, nothing was written\n";
        return interrupted_exit_code();
    }
    write_csv();
    return print_table() > 0 ? 1 : 0;
}

}  // namespace

int verify_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    return Verify(lab, options).run();
}

}  // namespace convolab
