// SPDX-License-Identifier: MIT
// The rules between options, and what stands where none is given.
#include "common/driver/options.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/driver/rounds.hpp"
#include "common/measurement/machine.hpp"
#include "common/media/pictures.hpp"
#include "common/threads/cpus.hpp"

namespace convolab {
namespace {

/// The value of a setting that no option gives: what this machine has, or the setting's own.
int default_of(const Setting& setting, const Lab& lab) {
    if (setting.value == &Settings::threads) return cpu_count();
    if (setting.value == &Settings::ranks) return default_ranks();
    if (setting.value == &Settings::devices) return lab.backend->gpus();
    return Settings{}.*setting.value;
}

void complete_settings(Options& options, const Lab& lab) {
    for (std::size_t i = 0; i < options.settings.size(); ++i) {
        const Setting& setting = kSettings[i];
        auto& values = options.settings[i];
        const bool given = !values.empty();
        if (!given) values = {default_of(setting, lab)};
        const bool used = std::any_of(options.variants.begin(), options.variants.end(),
                                      [&](const Variant* v) { return v->uses & setting.use; });
        if (!given || used) continue;
        const std::string option = option_name(setting);
        if (options.command == Command::run)
            throw UsageError("Option " + option + ": variant " + options.variants.front()->name +
                             " does not use it; leave it out.");
        options.notes.push_back("option " + option + " changes nothing: no chosen variant uses it");
    }
}

/// A filter that exists, but not here: the median in labs that convolve.
void require_offered(const std::string& filter, const Lab& lab) {
    const bool any = lab.operation.filters.empty();
    const auto& offered = any ? filter_names() : lab.operation.filters;
    if (std::find(offered.begin(), offered.end(), filter) != offered.end()) return;
    if (any && filter != "median") return;  // typed, or make_filter() says what is wrong
    std::string names;
    for (const auto& name : offered) names += (names.empty() ? "" : ", ") + name;
    throw UsageError("Option --filter: lab " + lab.name + " has no '" + filter + "'; " +
                     did_you_mean(filter, offered, "choose one of " + names + "."));
}

std::vector<Filter> made_filters(const Options& options) {
    std::vector<Filter> made;
    for (const int k : options.ksizes_or_default())
        made.push_back(
            make_filter(options.filter, k == 0 ? std::optional<int>{} : k, options.sigma));
    return made;
}

void complete_filter(Options& options, const Lab& lab) {
    if (lab.operation.has_filter)
        require_offered(options.filter, lab);
    else
        options.filter = "identity";
    options.filters = made_filters(options);
}

void complete_variants(Options& options, const Lab& lab) {
    if (!options.variants.empty()) return;
    options.best_variant = options.command == Command::run;
    options.all_variants = !options.best_variant;
    options.variants = options.best_variant ? std::vector{&lab.best_variant()} : lab.variants;
}

void complete_sizes(Options& options) {
    if (options.command == Command::verify) {
        options.only_sizes = !options.sizes.empty();
        if (options.only_sizes && (options.quick || !options.image.empty()))
            throw UsageError("Option --size: verify takes it without --quick and --image.");
    }
    if (options.command == Command::timeline) {
        if (options.sizes.size() > 1) throw UsageError("Option --size: timeline takes one size.");
        if (options.sizes.empty()) options.sizes = {parse_size("8k")};
    }
    if (options.command == Command::bench && options.sizes.empty() && !options.image.empty())
        if (const PictureSource source(options.image); source.photo())
            options.sizes = {parse_size(std::to_string(source.photo()->colour.width()) + 'x' +
                                        std::to_string(source.photo()->colour.height()))};
    if (options.sizes.empty() && !options.quick) options.sizes = standard_sizes();
}

/// A lab of two frames draws its own clip where none is named.
constexpr const char* kDrawn = "moving";

void complete_picture(Options& options, bool is_of_clips) {
    if (!options.image.empty() && !options.video.empty())
        throw UsageError("Options --image and --video: name one, a picture or a clip.");
    if (!is_of_clips || !options.image.empty() || !options.video.empty()) return;
    if (options.command == Command::bench) options.image = kDrawn;
    if (options.command == Command::run) options.video = kDrawn;
}

void require_what_run_needs(const Options& options, const Lab& lab) {
    const bool is_clip = !options.video.empty();
    if (options.image.empty() && !is_clip)
        throw UsageError(
            "Command run needs --image (a PNG, scene:480p, or random:480p:1) or --video.");
    if (options.length && !is_clip)
        throw UsageError("Option --length: a picture has one frame; name a clip with --video.");
    if (lab.operation.frames == 2 && !is_clip)
        throw UsageError("Lab " + lab.name +
                         " compares frames: name a clip with --video instead of --image.");
    if (!options.csv.empty() && !is_clip)
        throw UsageError("Option --csv: run times clips only; for pictures use bench.");
    if (is_clip && (options.channels || options.layout))
        throw UsageError(std::string("Option ") + (options.channels ? "--channels" : "--layout") +
                         ": the frames of a clip are RGB, interleaved; leave it out.");
    if (options.out.empty() && !options.check)
        throw UsageError("Command run needs --out, the PNG or clip to write, or --check.");
}

}  // namespace

int default_ranks() { return started_ranks() > 0 ? started_ranks() : core_count(); }

Settings Options::first_settings() const {
    Settings first;
    for (std::size_t i = 0; i < settings.size(); ++i)
        first.*kSettings[i].value = settings[i].front();
    return first;
}

const Filter& Options::filter_of(int k) const {
    const auto place = std::find(ksizes.begin(), ksizes.end(), k) - ksizes.begin();
    return filters[static_cast<std::size_t>(place)];
}

std::string Options::how_it_ran() const {
    return std::string(best_variant ? " (the lab's best; --variant names another)" : "") +
           (check ? ", identical to the reference" : "");
}

void complete(Options& options, const Lab& lab) {
    complete_picture(options, lab.operation.frames == 2);
    if (options.command == Command::run) require_what_run_needs(options, lab);
    if (options.command == Command::timeline && options.csv.empty())
        throw UsageError("Command timeline needs --csv, the file to write.");
    options.rounds = options.rounds == 0 ? default_rounds(options.iterations)
                                         : std::min(options.iterations, options.rounds);
    if (options.pinning.empty()) options.pinning = cpus_of_machine().empty() ? "cpus" : "cores";
    complete_variants(options, lab);
    complete_settings(options, lab);
    complete_filter(options, lab);
    complete_sizes(options);
}

}  // namespace convolab
