// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>

#include "common/base/error.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

/// What CLI11 fills: text, turned into Options afterwards.
struct Raw {
    std::string border = "replicate";
    std::string type;
    std::vector<std::string> variants, sizes, ksizes, threads, blocks, streams, bands, in_flight,
        frames;
    double sigma = 0;
    int channels = 0;
};

int whole_number(std::string_view text, const std::string& option) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > 65536)
        throw UsageError("Option " + option + " takes whole numbers from 1 to 65536, not '" +
                         std::string(text) + "'.");
    return value;
}

/// "3", or "2-16:2" for 2, 4, .. 16.
std::vector<int> number_list(const std::vector<std::string>& items, const std::string& option) {
    std::vector<int> numbers;
    for (const std::string_view item : items) {
        const auto dash = item.find('-');
        const auto colon = item.find(':');
        if (dash == std::string_view::npos) {
            numbers.push_back(whole_number(item, option));
            continue;
        }
        const int first = whole_number(item.substr(0, dash), option);
        const int last = whole_number(item.substr(dash + 1, colon - dash - 1), option);
        const int step =
            colon == std::string_view::npos ? 1 : whole_number(item.substr(colon + 1), option);
        if (last < first)
            throw UsageError("Option " + option + ": the range '" + std::string(item) +
                             "' ends before it begins.");
        for (int n = first; n <= last; n += step) numbers.push_back(n);
    }
    return numbers;
}

std::vector<const Variant*> choose_variants(const std::vector<std::string>& names, const Lab& lab) {
    if (names.empty()) return lab.variants;
    std::vector<const Variant*> chosen;
    for (const auto& name : names) {
        const auto found = std::find_if(lab.variants.begin(), lab.variants.end(),
                                        [&](const Variant* v) { return v->name == name; });
        if (found == lab.variants.end()) {
            std::string known;
            for (const auto* v : lab.variants) known += (known.empty() ? "" : ", ") + v->name;
            throw UsageError("Option --variant: lab " + lab.name + " has no '" + name +
                             "'; choose from " + known + ".");
        }
        chosen.push_back(*found);
    }
    return chosen;
}

std::optional<PixelType> pixel_type(const std::string& text) {
    for (const auto type : {PixelType::uint8, PixelType::int32, PixelType::float32})
        if (text == to_string(type)) return type;
    if (text.empty()) return {};
    throw UsageError("Option --type takes uint8, int32 or float32, not '" + text + "'.");
}

void add_filter_options(CLI::App& app, Options& options, Raw& raw) {
    app.add_option("--filter", options.filter,
                   "a name (identity box gaussian sharpen edge laplacian emboss sobel_x sobel_y "
                   "unsharp) or taps: \"3x3: 1 2 1 2 4 2 1 2 1 / 16\"")
        ->capture_default_str();
    app.add_option("--ksize", raw.ksizes, "side of the filter, odd; bench: a list")->delimiter(',');
    app.add_option("--sigma", raw.sigma, "standard deviation of the Gaussian in pixels");
    app.add_option("--border", raw.border,
                   "constant[:VALUE] replicate reflect reflect101 wrap valid renormalise")
        ->capture_default_str();
    app.add_option("--type", raw.type, "uint8, int32 or float32 (default: the variant's own)");
}

void add_launch_options(CLI::App& app, Raw& raw) {
    app.add_option("--variant", raw.variants, "one, or a list with commas (default: all)")
        ->delimiter(',');
    app.add_option("--threads", raw.threads,
                   "CPU threads: 4, or 1,2,4, or 2-16:2 (default: all CPUs)")
        ->delimiter(',');
    app.add_option("--block", raw.blocks, "side of a block: 16, or a list (default: 16)")
        ->delimiter(',');
    app.add_option("--streams", raw.streams, "CUDA streams: 3, or a list (default: 3)")
        ->delimiter(',');
    app.add_option("--bands", raw.bands, "bands of an image: 8, or a list (default: one a stream)")
        ->delimiter(',');
    app.add_option("--in-flight", raw.in_flight,
                   "frames under way at a time: 3, or a list (default: 3)")
        ->delimiter(',');
    app.add_option("--frames", raw.frames, "frames a run: 32, or a list (default: 32)")
        ->delimiter(',');
}

std::vector<Size> size_list(const std::vector<std::string>& texts) {
    std::vector<Size> sizes;
    for (const auto& text : texts)
        if (text == "all")
            sizes.insert(sizes.end(), standard_sizes().begin(), standard_sizes().end());
        else
            sizes.push_back(parse_size(text));
    return sizes;
}

void finish(Options& options, const Raw& raw, const CLI::App& app, const Lab& lab) {
    options.variants = choose_variants(raw.variants, lab);
    options.ksizes = number_list(raw.ksizes, "--ksize");
    options.threads = number_list(raw.threads, "--threads");
    options.blocks = number_list(raw.blocks, "--block");
    options.streams = number_list(raw.streams, "--streams");
    options.bands = number_list(raw.bands, "--bands");
    options.in_flight = number_list(raw.in_flight, "--in-flight");
    options.frames = number_list(raw.frames, "--frames");
    const Settings standard;
    if (options.threads.empty()) options.threads = {cpu_count()};
    if (options.blocks.empty()) options.blocks = {standard.block};
    if (options.streams.empty()) options.streams = {standard.streams};
    if (options.bands.empty()) options.bands = {standard.bands};
    if (options.in_flight.empty()) options.in_flight = {standard.in_flight};
    if (options.frames.empty()) options.frames = {standard.frames};
    options.sizes = size_list(raw.sizes);
    if (options.command == Command::timeline) {
        if (options.sizes.size() > 1) throw UsageError("Option --size: timeline takes one size.");
        if (options.sizes.empty()) options.sizes = {parse_size("8k")};
    }
    if (options.sizes.empty()) options.sizes = standard_sizes();
    if (app.count("--sigma") > 0) options.sigma = raw.sigma;
    options.border = parse_border(raw.border);
    options.type = pixel_type(raw.type);
    if (raw.channels != 0) {
        if (raw.channels != 1 && raw.channels != 3 && raw.channels != 4)
            throw UsageError("Option --channels takes 1, 3 or 4, not " +
                             std::to_string(raw.channels) + ".");
        options.channels = raw.channels;
    }
    if (options.command != Command::bench) {
        if (options.ksizes.size() > 1 || options.threads.size() > 1 || options.blocks.size() > 1 ||
            options.streams.size() > 1 || options.bands.size() > 1 ||
            options.in_flight.size() > 1 || options.frames.size() > 1 ||
            (raw.variants.size() > 1 && options.command == Command::run))
            throw UsageError(
                "Commands run and timeline take one value of each option, run one variant; bench "
                "takes lists.");
    }
    for (const int k : options.ksizes_or_default())
        options.make_filter(k);  // says what is wrong now
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, const Lab& lab) {
    Options options;
    Raw raw;
    CLI::App app{"Convolab, lab " + lab.name + ": one convolution, step by step faster."};
    app.require_subcommand(1);

    auto* list = app.add_subcommand("list", "the variants of this lab");

    auto* run = app.add_subcommand("run", "filter one PNG");
    run->add_option("--image", options.image, "the PNG to read")->required();
    run->add_option("--out", options.out, "the PNG to write")->required();
    run->add_flag("--check", options.check, "compare the output with the reference");

    auto* verify =
        app.add_subcommand("verify", "compare every variant with the reference, byte for byte");
    auto* photo =
        verify->add_option("--image", options.image, "a PNG to try besides the built-in pictures");
    verify->add_option("--csv", options.csv, "append the results to this file");
    verify->add_option("--pictures", options.pictures, "folder for a picture of each failure");
    auto* quick = verify->add_flag("--quick", options.quick,
                                   "a tenth of the combinations, and no large pictures");
    verify
        ->add_option("--size", raw.sizes,
                     "only the scene at these sizes, 5x5 (default: all sizes, after all else)")
        ->delimiter(',')
        ->excludes(quick)
        ->excludes(photo);
    verify->add_flag("--fresh", options.fresh, "drop what the file holds");
    verify->add_option("--variant", raw.variants, "one, or a list with commas (default: all)")
        ->delimiter(',');

    auto* bench =
        app.add_subcommand("bench", "verify, time, verify again; one row a configuration");
    bench
        ->add_option(
            "--size", raw.sizes,
            "480p 720p 1080p 1440p 4k 8k, all, or 853x480; a list with commas (default: all)")
        ->delimiter(',');
    bench->add_option("--image", options.image,
                      "scene (default), random, or a PNG, cropped and resampled to each size");
    bench->add_option("--data", options.data, "folder with the PNGs of `make data`");
    bench->add_option("--channels", raw.channels, "1, 3 or 4 (default: the variant's own)");
    bench->add_option("--iterations", options.iterations, "timed runs")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    bench->add_option("--warmup", options.warmup, "runs before them")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str();
    bench->add_flag("--cold", options.cold, "empty the caches before each run");
    bench->add_option("--csv", options.csv, "append the rows to this file and continue from it");
    bench->add_flag("--fresh", options.fresh, "start over: drop what the file holds");
    bench->add_flag("--plan", options.plan, "print the expected seconds and stop");

    auto* timeline = app.add_subcommand(
        "timeline", "when each copy and kernel of one run began and ended; one row a step");
    timeline->add_option("--size", raw.sizes, "one size (default: 8k)")->delimiter(',');
    timeline->add_option("--csv", options.csv, "write the rows to this file")->required();

    for (auto* command : {run, bench, timeline}) {
        add_filter_options(*command, options, raw);
        add_launch_options(*command, raw);
    }

    const auto is_named = [&](const CLI::App* command) {
        return argc > 1 && command->get_name() == argv[1];
    };
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_named))
        throw UsageError("There is no command '" + std::string(argv[1]) +
                         "'; use list, run, verify, bench or timeline.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const auto chosen = app.get_subcommands();
        std::cout << (chosen.empty() ? app : *chosen.front()).help();
        return {};
    } catch (const CLI::ParseError& error) {
        std::string text = error.what();
        if (!text.empty() && text.back() == '.') text.pop_back();
        throw UsageError(text + "; see --help.");
    }
    const auto* chosen = app.get_subcommands().front();
    options.command = chosen == list     ? Command::list
                      : chosen == run    ? Command::run
                      : chosen == verify ? Command::verify
                      : chosen == bench  ? Command::bench
                                         : Command::timeline;
    if (chosen == run || chosen == bench || chosen == timeline) {
        finish(options, raw, *chosen, lab);
    } else {
        options.variants = choose_variants(raw.variants, lab);
        options.only_sizes = !raw.sizes.empty();
        options.sizes = size_list(raw.sizes);
        if (options.sizes.empty() && !options.quick) options.sizes = standard_sizes();
    }
    return options;
}

}  // namespace convolab
