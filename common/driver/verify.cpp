// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// lab verify: every variant against the reference, byte for byte, on the pictures of
// verify_plan.hpp and on the scene at the protocol's sizes. A table on the terminal, one CSV
// row per variant, filter, side and border, a picture of each failure. Nothing compared is a
// failure too.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/progress.hpp"
#include "common/driver/supervisor.hpp"
#include "common/driver/verify_one.hpp"
#include "common/driver/verify_plan.hpp"
#include "common/driver/verify_tally.hpp"
#include "common/driver/verify_work.hpp"
#include "common/measurement/results.hpp"
#include "common/threads/topology.hpp"

namespace convolab {
namespace {

/// A job's place in the table and in the plan.
struct Place {
    std::size_t filter, border, number;
};
class Verify {
  public:
    Verify(const Lab& lab, const Options& options, const PictureSource* photo)
        : lab_(lab),
          options_(options),
          plan_(options.quick, photo, lab.operation),
          work_(lab, options, plan_),
          one_(lab, options),
          tallies_(lab, options.variants, plan_.filters),
          progress_(lab.name, cost()) {}

    /// False: interrupted.
    bool compare_all();
    Tallies& tallies() { return tallies_; }

  private:
    double cost() const;
    void compare(Job job, const std::string& picture, const Place& place, const Launches& launches);
    void compare_case(std::size_t number);
    void compare_cases();
    void compare_scenes(const Size& size);

    const Lab& lab_;
    const Options& options_;
    const VerifyPlan plan_;
    const VerifyWork work_;
    VerifyOne one_;
    Tallies tallies_;
    VerifyProgress progress_;
    std::mutex mutex_;
};

double Verify::cost() const {
    double sum = 0;
    for (const VerifyCase& one : plan_.cases)
        if (!options_.only_sizes) sum += work_.cost(one);
    for (const Size& size : options_.sizes) sum += work_.cost(size);
    return sum;
}

void Verify::compare(Job job, const std::string& picture, const Place& place,
                     const Launches& launches) {
    std::map<std::pair<const Operation*, int>, Expected> all;
    for (const auto& [v, settings] : launches) {
        const Variant& variant = *options_.variants[v];
        const Operation& operation = lab_.operation_of(variant);
        job.settings = settings;
        if (const auto before = stopped(variant.name)) {
            if (before->job != describe(lab_.operation, variant, job, picture)) continue;
            const std::scoped_lock lock(mutex_);
            tallies_.at(v, place.filter, place.border) +=
                one_.failure(variant, job, picture, "it " + before->how, place.number);
            continue;
        }
        const Expected& expected =
            all.try_emplace({&operation, filters_of(variant, settings)}, operation, job)
                .first->second;
        const Tally tally = one_.compare(variant, job, picture, expected, place.number);
        const std::scoped_lock lock(mutex_);
        tallies_.at(v, place.filter, place.border) += tally;
    }
}

void Verify::compare_case(std::size_t number) {
    const VerifyCase& one = plan_.cases[number];
    const auto& [name, image] = plan_.pictures[one.picture];
    const Launches launches = work_.launches(one);
    if (launches.empty()) return;
    Job job{{&image}, plan_.filters[one.filter], all_borders()[one.border], {}};
    Image current;  // of a video job: everything changed, or little
    if (lab_.operation.frames == 2) {
        current = number % 2 == 0 ? with_noise(image, number)
                                  : random_image(image.width(), image.height(), image.channels(),
                                                 image.type(), number);
        job.frames.push_back(&current);
    }
    compare(job, name, {one.filter, one.border, number}, launches);
    progress_.done(work_.cost(one));
}

/// The Gaussian of side 5, where the lab has filters, the edge repeated.
void Verify::compare_scenes(const Size& size) {
    const Filter filter = lab_.operation.has_filter ? make_filter("gaussian", 5) : plan_.filters[0];
    Place place{0, 0, plan_.cases.size()};
    while (plan_.filters[place.filter].taps() != filter.taps()) ++place.filter;
    while (!(all_borders()[place.border] == Border{})) ++place.border;
    for (const auto& [storage, launches] : work_.scenes(size)) {
        const auto& [type, channels] = storage;
        if (interrupted() || !one_.fits(size, type, channels)) continue;
        const std::string picture = lab_.operation.frames == 2 ? "moving" : "scene";
        const auto frames =
            PictureSource(picture).frames(size, channels, type, lab_.operation.frames);
        Job job{{}, filter, {}, {}};
        for (const auto& frame : frames) job.frames.push_back(&frame);
        compare(job, picture + ':' + size.name, place, launches);
    }
    progress_.done(work_.cost(size));
}

void Verify::compare_cases() {
    std::atomic<std::size_t> next{0};
    std::exception_ptr trouble;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < plan_.cases.size() && !interrupted(); i = next++)
                compare_case(i);
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            trouble = std::current_exception();
            next = plan_.cases.size();
        }
    };
    std::vector<std::thread> others;
    const bool concurrent = lab_.backend->is_concurrent() && !is_one_at_a_time();
    for (int i = 1; concurrent && i < cpu_count(); ++i) others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
    if (trouble) std::rethrow_exception(trouble);
}

bool Verify::compare_all() {
    if (!options_.only_sizes) compare_cases();
    for (const auto& size : options_.sizes)
        if (!interrupted()) compare_scenes(size);
    progress_.end();
    return !interrupted();
}

}  // namespace

int verify_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    std::optional<PictureSource> photo;
    if (!options.image.empty()) photo.emplace(options.image);
    if (photo && !photo->photo())
        throw UsageError("Option --image: verify draws '" + photo->name() +
                         "' itself; name a PNG, or leave it out.");
    std::optional<ResultFile> file;  // now: what cannot be written is said before the work
    if (!options.csv.empty()) file.emplace(options.csv, names(verify_columns()), options.fresh);
    Verify verify(lab, options, photo ? &*photo : nullptr);
    if (!verify.compare_all()) {
        std::cerr << lab.name << ": interrupted, nothing was written\n";
        return interrupted_exit_code();
    }
    const int bad = verify.tallies().print_table();
    if (file) file->append_all(verify.tallies().rows());
    return bad > 0 ? 1 : 0;
}

}  // namespace convolab
