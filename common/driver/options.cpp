// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/options.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>

#include "common/base/did_you_mean.hpp"
#include "common/base/error.hpp"
#include "common/driver/command_line.hpp"
#include "common/driver/option_values.hpp"
#include "common/driver/rounds.hpp"
#include "common/measurement/machine.hpp"
#include "common/measurement/sessions.hpp"
#include "common/threads/topology.hpp"

namespace convolab {
namespace {

void require_one_value(const CommandLine& line, const std::string& option, std::size_t values) {
    if (values > 1 && line.command != Command::bench)
        throw UsageError("Option " + option + ": this command takes one value, not '" +
                         line.list(option).front() + "' and more; bench takes lists.");
}

/// The value of a setting that no option gives: what this machine has, or the setting's own.
int default_of(const Setting& setting, const Lab& lab) {
    if (setting.value == &Settings::threads) return cpu_count();
    if (setting.value == &Settings::ranks) return default_ranks();
    if (setting.value == &Settings::devices) return lab.backend->gpus();
    return Settings{}.*setting.value;
}

void set_settings(Options& options, const CommandLine& line, const Lab& lab) {
    for (std::size_t i = 0; i < options.settings.size(); ++i) {
        const Setting& setting = kSettings[i];
        const std::string option = option_name(setting);
        auto& values = options.settings[i];
        values = number_list(line.list(option), option);
        require_one_value(line, option, values.size());
        if (values.empty()) values = {default_of(setting, lab)};
        const bool used = std::any_of(options.variants.begin(), options.variants.end(),
                                      [&](const Variant* v) { return v->uses & setting.use; });
        if (!line.has(option) || used) continue;
        if (options.command == Command::run)
            throw UsageError("Option " + option + ": variant " + options.variants.front()->name +
                             " does not use it; leave it out.");
        std::cerr << "note: option " << option << " changes nothing: no chosen variant uses it\n";
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

void set_filter(Options& options, const CommandLine& line, const Lab& lab) {
    if (!lab.operation.has_filter) {
        for (const char* option : {"--filter", "--ksize", "--sigma", "--border"})
            if (line.has(option))
                throw UsageError(std::string("Option ") + option + ": lab " + lab.name +
                                 " compares frames and has no filter; leave it out.");
        options.filter = "identity";
        return;
    }
    options.filter = line.text("--filter", options.filter);
    options.ksizes = number_list(line.list("--ksize"), "--ksize");
    require_one_value(line, "--ksize", options.ksizes.size());
    if (line.has("--sigma")) options.sigma = decimal_number(line.text("--sigma"), "--sigma");
    require_offered(options.filter, lab);
    if (line.has("--border")) {
        if (!lab.operation.has_border)
            throw UsageError("Option --border: lab " + lab.name +
                             " repeats the edge (replicate); leave it out.");
        options.border = parse_border(line.text("--border"));
    }
    for (const int k : options.ksizes_or_default())
        options.make_filter(k);  // says what is wrong now
}

void set_variants(Options& options, const CommandLine& line, const Lab& lab) {
    if (options.command != Command::run) {
        options.all_variants = !line.has("--variant");
        options.variants = choose_variants(line.list("--variant"), lab);
        return;
    }
    const std::string name = line.text("--variant");
    if (name.find(',') != std::string::npos)
        throw UsageError("Option --variant: run takes one variant, not '" + name + "'.");
    options.best_variant = name.empty();
    options.variants =
        name.empty() ? std::vector{&lab.best_variant()} : choose_variants({name}, lab);
}

void set_sizes(Options& options, const CommandLine& line) {
    options.sizes = size_list(line.list("--size"));
    if (options.command == Command::verify) {
        options.only_sizes = line.has("--size");
        if (options.only_sizes && (line.has("--quick") || line.has("--image")))
            throw UsageError("Option --size: verify takes it without --quick and --image.");
    }
    if (options.command == Command::timeline) {
        if (options.sizes.size() > 1) throw UsageError("Option --size: timeline takes one size.");
        if (options.sizes.empty()) options.sizes = {parse_size("8k")};
    }
    if (options.sizes.empty() && !options.quick) options.sizes = standard_sizes();
}

void set_rounds(Options& options, const CommandLine& line) {
    constexpr int kMaxRuns = 1000000;
    options.rounds = default_rounds(options.iterations);
    if (line.has("--rounds"))
        options.rounds = std::min(options.iterations,
                                  whole_number(line.text("--rounds"), "--rounds", 1, kMaxRuns));
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    options.seed = static_cast<std::uint64_t>(now / std::chrono::seconds(1));
    if (line.has("--seed"))
        options.seed = static_cast<std::uint64_t>(
            whole_number(line.text("--seed"), "--seed", 0, std::numeric_limits<int>::max()));
}

/// A lab of two frames draws its own clip where none is named.
constexpr const char* kDrawn = "moving";

void require_what_is_needed(const CommandLine& line, bool is_of_clips) {
    const bool is_run = line.command == Command::run;
    const bool is_clip = line.has("--video") || (is_run && is_of_clips && !line.has("--image"));
    if (line.has("--image") && line.has("--video"))
        throw UsageError("Options --image and --video: name one, a picture or a clip.");
    if (is_run && !line.has("--image") && !is_clip)
        throw UsageError(
            "Command run needs --image (a PNG, scene:480p, or random:480p:1) or --video.");
    if (is_run && line.has("--length") && !is_clip)
        throw UsageError("Option --length: a picture has one frame; name a clip with --video.");
    if (is_run && line.has("--csv") && !is_clip)
        throw UsageError("Option --csv: run times clips only; for pictures use bench.");
    if (line.text("--csv") == "-")
        throw UsageError("Option --csv: rows go to a file, not to standard output; name one.");
    if (line.command == Command::bench &&
        std::filesystem::path(line.text("--csv")).filename() == kSessionsName)
        throw UsageError(std::string("Option --csv: ") + kSessionsName +
                         " is the file beside the rows; name another.");
    for (const char* option : {"--channels", "--layout"})
        if (is_clip && line.has(option))
            throw UsageError(std::string("Option ") + option +
                             ": the frames of a clip are RGB, interleaved; leave it out.");
    if (is_run && !line.has("--out") && !line.has("--check"))
        throw UsageError("Command run needs --out, the PNG or clip to write, or --check.");
    if (line.command == Command::timeline && !line.has("--csv"))
        throw UsageError("Command timeline needs --csv, the file to write.");
    const std::string data = line.text("--data");
    if (!data.empty() && !std::filesystem::is_directory(data))
        throw UsageError("Option --data: there is no folder '" + data +
                         "'; run `make data`, or leave it out.");
}

}  // namespace

int default_ranks() { return started_ranks() > 0 ? started_ranks() : core_count(); }

Settings Options::first_settings() const {
    Settings first;
    for (std::size_t i = 0; i < settings.size(); ++i)
        first.*kSettings[i].value = settings[i].front();
    return first;
}

std::optional<Options> parse_options(int argc, char** argv, const Lab& lab) {
    const auto line = read_command_line(argc, argv, lab);
    if (!line) return {};
    const bool is_of_clips = lab.operation.frames == 2;
    require_what_is_needed(*line, is_of_clips);
    Options options;
    options.command = line->command;
    options.program = line->program;
    options.image = line->text("--image");
    options.out = line->text("--out");
    options.video = line->text("--video");
    options.csv = line->text("--csv");
    options.data = line->text("--data");
    options.pictures = line->text("--pictures");
    options.check = line->has("--check");
    options.quick = line->has("--quick");
    options.cold = line->has("--cold");
    options.kernel_only = line->has("--kernel-only");
    options.only_timed = line->has("--only-timed");
    options.fresh = line->has("--fresh");
    options.plan = line->has("--plan");
    options.count = line->has("--count");
    if (line->has("--type")) options.type = pixel_type(line->text("--type"));
    if (line->has("--layout")) options.layout = layout(line->text("--layout"));
    if (line->has("--channels")) options.channels = channels(line->text("--channels"));
    if (line->has("--length"))
        options.length = whole_number(line->text("--length"), "--length", 1, 1000000000);
    if (line->has("--iterations"))
        options.iterations = whole_number(line->text("--iterations"), "--iterations", 1, 1000000);
    if (line->has("--warmup"))
        options.warmup = whole_number(line->text("--warmup"), "--warmup", 0, 1000000);
    if (options.image.empty() && options.command == Command::bench && is_of_clips)
        options.image = kDrawn;
    if (options.image.empty() && options.video.empty() && options.command == Command::run &&
        is_of_clips)
        options.video = kDrawn;
    if (line->has("--time-limit"))
        options.time_limit_s = whole_number(line->text("--time-limit"), "--time-limit", 1, 1000000);
    set_rounds(options, *line);
    options.pinning = line->has("--no-pinning")   ? "off"
                      : cpus_of_machine().empty() ? "cpus"
                                                  : "cores";
    set_variants(options, *line, lab);
    set_settings(options, *line, lab);
    set_filter(options, *line, lab);
    set_sizes(options, *line);
    return options;
}

}  // namespace convolab
