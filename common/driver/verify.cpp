// SPDX-License-Identifier: MIT
// lab verify: every variant against the reference, byte for byte, on the pictures of VerifyPlan and
// on the scene at the protocol's sizes. On the terminal a line for the lab and what failed, one CSV
// row per variant, filter, side and border (Tallies), a picture of each failure. Nothing compared is
// a failure too.
#include "common/driver/verify.hpp"

#include <atomic>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "common/base/error.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/progress.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/results.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

/// A job's place in the table and in the plan.
struct Place {
    std::size_t filter, border, number;
};

/// The frame after this picture: with noise, another one, or black after white.
Image frame_after(const VerifyPicture& picture, std::size_t number) {
    const Image& image = picture.image;
    if (number % 2 == 0) return with_noise(image.copy(), number);
    Image other =
        random_image(image.width(), image.height(), image.channels(), image.type(), number);
    if (picture.name.starts_with("white")) other.poison(0);
    return other;
}

class Verify {
  public:
    Verify(const Lab& lab, const Options& options, const PictureSource* photo)
        : lab_(lab),
          options_(options),
          plan_(options.only_sizes
                    ? VerifyPlan(lab.operation)
                    : VerifyPlan({options.quick, options.repeated, lab.backend->is_timed()},
                                 lab.operation, options.variants, photo)),
          tallies_(lab, options.variants, plan_.filters),
          progress_(lab.name, cost()),
          jobs_(lab, options) {}

    /// False: interrupted.
    bool compare_all();
    Tallies& tallies() { return tallies_; }

  private:
    /// In multiply-adds, of all variants together.
    double cost() const;
    void compare_cases();
    void compare_case(std::size_t number);
    void compare_scenes(const Size& size);
    /// picture: as option --image of `lab run` takes it.
    void compare(Job job, const std::string& picture, const Place& place, const Launches& launches);

    const Lab& lab_;
    const Options& options_;
    const VerifyPlan plan_;
    Tallies tallies_;
    VerifyProgress progress_;
    VerifyJobs jobs_;
    std::mutex mutex_;                     // threads compare at the same time
    std::map<std::size_t, int> failures_;  // of each variant
    std::set<std::size_t> pictured_;       // variants that met a picture that shows a pattern
};

double Verify::cost() const {
    double sum = 0;
    for (const VerifyCase& one : plan_.cases) sum += plan_.cost(one, options_.variants);
    for (const Size& size : options_.sizes) sum += scene_cost(lab_, options_, size);
    return sum;
}

bool Verify::compare_all() {
    compare_cases();
    for (const auto& size : options_.sizes)
        if (!interrupted()) compare_scenes(size);
    progress_.end();
    return !interrupted();
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
            if (!trouble) trouble = std::current_exception();
            next = plan_.cases.size();
        }
    };
    std::vector<std::jthread> others;
    const bool concurrent = lab_.backend->is_concurrent() && !is_one_at_a_time();
    for (int i = 1; concurrent && i < cpu_count(); ++i) others.emplace_back(work);
    work();
    others.clear();  // waits for them
    if (trouble) std::rethrow_exception(trouble);
}

void Verify::compare_case(std::size_t number) {
    const VerifyCase& one = plan_.cases[number];
    const auto& [name, image] = plan_.pictures[one.picture];
    const Launches launches = plan_.launches(one, options_.variants);
    if (launches.empty()) return;
    Job job{{&image}, plan_.filters[one.filter], all_borders()[one.border], {}};
    Image current;  // of a video job
    if (lab_.operation.frames == 2) {
        current = frame_after(plan_.pictures[one.picture], number);
        job.frames.push_back(&current);
    }
    compare(job, name, {one.filter, one.border, number}, launches);
    progress_.done(plan_.cost(one, options_.variants));
}

/// The Gaussian of side 5, where the lab has filters, the edge repeated.
void Verify::compare_scenes(const Size& size) {
    const Filter filter = lab_.operation.has_filter ? make_filter("gaussian", 5) : plan_.filters[0];
    Place place{0, 0, plan_.cases.size()};
    while (plan_.filters[place.filter].taps() != filter.taps()) ++place.filter;
    while (!(all_borders()[place.border] == Border{})) ++place.border;
    for (const auto& [storage, launches] : scene_launches(lab_, options_, size)) {
        const auto& [type, channels] = storage;
        if (interrupted()) continue;
        try {
            require_picture_memory(size, channels, type, lab_.operation.frames);
        } catch (const Skipped& why) {
            jobs_.say_not_compared(why.what());
            continue;
        }
        const std::string picture = lab_.operation.frames == 2 ? "moving" : "scene";
        const auto frames =
            PictureSource(picture).frames(size, channels, type, lab_.operation.frames);
        Job job{{}, filter, {}, {}};
        for (const auto& frame : frames) job.frames.push_back(&frame);
        compare(job, picture + ':' + size.name, place, launches);
    }
    progress_.done(scene_cost(lab_, options_, size));
}

void Verify::compare(Job job, const std::string& picture, const Place& place,
                     const Launches& launches) {
    std::map<std::pair<const Operation*, int>, Expected> all;
    for (const auto& [v, settings] : launches) {
        {
            const std::scoped_lock lock(mutex_);
            // One more job where no difference so far is large enough to look at.
            if (failures_[v] >= kEnoughFailures &&
                (!shows_a_pattern(job.image()) || !pictured_.insert(v).second))
                continue;
        }
        const Variant& variant = *options_.variants[v];
        job.settings = settings;
        const auto expected = [&]() -> const Expected& {
            const Operation& operation = lab_.operation_of(variant);
            return all.try_emplace({&operation, filters_of(variant, job.settings)}, operation, job)
                .first->second;
        };
        std::optional<Tally> tally = jobs_.compare(variant, job, picture, expected);
        if (!tally) continue;
        if (tally->failed > 0) tally->first = place.number;
        const std::scoped_lock lock(mutex_);
        failures_[v] += static_cast<int>(tally->failed);
        if (tally->failed > 0 && shows_a_pattern(job.image())) pictured_.insert(v);
        tallies_.at(v, place.filter, place.border) += *tally;
    }
}

}  // namespace

int verify_command(const Lab& lab, const Options& options) {
    catch_interrupts();
    std::optional<PictureSource> photo;
    if (!options.image.empty()) photo.emplace(options.image);
    if (photo && !photo->photo())
        throw UsageError("Option --image: verify draws '" + photo->name() +
                         "' itself; name a PNG, or leave it out.");
    std::optional<ResultFile> file;  // before the work, so that an unwritable file costs none
    if (!options.csv.empty()) file.emplace(options.csv, names(verify_columns()), options.fresh);
    Verify verify(lab, options, photo ? &*photo : nullptr);
    if (!verify.compare_all()) {
        std::cerr << lab.name << ": interrupted, nothing was written\n";
        return interrupted_exit_code();
    }
    const int bad = verify.tallies().print(options.brief);
    if (file) file->append_all(verify.tallies().rows());
    return bad > 0 ? 1 : 0;
}

}  // namespace convolab
