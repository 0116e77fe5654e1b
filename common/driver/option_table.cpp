// SPDX-License-Identifier: MIT
// Each option with what it sets in Options.
#include "common/driver/option_table.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>

#include "common/base/text.hpp"
#include "common/measurement/results.hpp"

namespace convolab {
namespace {

using enum Takes;

/// Adds a value that is not there yet: one named twice would give two rows of one configuration.
template <class T>
void add_once(std::vector<T>& values, const T& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<const Variant*> choose_variants(const std::vector<std::string>& names, const Lab& lab) {
    std::vector<const Variant*> chosen;
    for (const auto& name : names) {
        const auto found = std::find_if(lab.variants.begin(), lab.variants.end(),
                                        [&](const Variant* v) { return v->name == name; });
        if (found == lab.variants.end()) {
            std::string known;
            std::vector<std::string> all;
            for (const auto* v : lab.variants) {
                known += (known.empty() ? "" : ", ") + v->name;
                all.push_back(v->name);
            }
            throw UsageError("Option --variant: lab " + lab.name + " has no '" + name + "'; " +
                             did_you_mean(name, all, "choose from " + known + "."));
        }
        add_once(chosen, *found);
    }
    return chosen;
}

template <auto member>
void yes(Options& o, const Given&) {
    o.*member = true;
}
template <auto member>
void text(Options& o, const Given& given) {
    o.*member = given.text();
}
template <auto member, auto... values>
void one_of(Options& o, const Given& given) {
    using std::to_string;
    std::string names;
    std::size_t left = sizeof...(values);
    const auto is_it = [&](auto value) {
        const std::string name = to_string(value);
        names += name + (--left == 0 ? "" : left == 1 ? " or " : ", ");
        if (given.text() == name) o.*member = value;
        return given.text() == name;
    };
    if ((is_it(values) || ...)) return;
    given.fail(" takes " + names + ", not '" + given.text() + "'.");
}
template <auto member, int least, int most>
void whole(Options& o, const Given& given) {
    const int number = whole_number(given.text(), given.option, least, most);
    o.*member = static_cast<std::remove_reference_t<decltype(o.*member)>>(number);
}
/// A filter's option: a lab that compares frames has none.
template <Set set>
void of_filter(Options& o, const Given& given) {
    if (!given.lab.operation.has_filter)
        given.fail(": lab " + given.lab.name + " compares frames and has no filter; leave it out.");
    set(o, given);
}
void set_ksizes(Options& o, const Given& given) {
    o.ksizes = number_list(given.texts, given.option, given.command == kBench);
}
void set_sigma(Options& o, const Given& given) {
    o.sigma = decimal_number(given.text(), given.option);
}
void set_border(Options& o, const Given& given) {
    if (!given.lab.operation.has_border)
        given.fail(": lab " + given.lab.name + " repeats the edge (replicate); leave it out.");
    o.border = parse_border(given.text());
}
void set_sizes(Options& o, const Given& given) { o.sizes = size_list(given.texts); }
void set_variants(Options& o, const Given& given) {
    if (given.command == kRun && given.text().find(',') != std::string::npos)
        given.fail(": run takes one variant, not '" + given.text() + "'.");
    o.variants = choose_variants(given.texts, given.lab);
}
void set_no_pinning(Options& o, const Given&) { o.pinning = "off"; }
void set_data(Options& o, const Given& given) {
    o.data = given.text();
    if (!std::filesystem::is_directory(o.data))
        given.fail(": there is no folder '" + o.data + "'; run `make data`, or leave it out.");
}
void set_csv(Options& o, const Given& given) {
    o.csv = given.text();
    if (o.csv == "-") given.fail(": rows go to a file, not to standard output; name one.");
    if (given.command == kBench && std::filesystem::path(o.csv).filename() == kSessionsName)
        given.fail(std::string(": ") + kSessionsName +
                   " is the file beside the rows; name another.");
}

constexpr int kMaxRuns = 1'000'000;
constexpr OptionLine kOptions[] = {
    {"--image", kRun, one, text<&Options::image>,
     "a PNG or JPEG, a folder of them, scene:SIZE, white:SIZE, or random:SIZE:SEED; SIZE as in "
     "480p "
     "or 853x480"},
    {"--image", kVerify, one, text<&Options::image>,
     "a PNG to compare with, in addition to the built-in pictures"},
    {"--image", kBench, one, text<&Options::image>,
     "scene (default), random, or a PNG or JPEG, at its own size or cropped and resampled to those "
     "of "
     "--size; labs of video: moving (default), panning, static, black"},
    {"--video", kRun, one, text<&Options::video>,
     "a clip instead of a picture: a video file, a folder of PNGs (in alphabetical order), 0 (the "
     "first camera), or moving, panning, static, black with :SIZE"},
    {"--length", kRun, one, whole<&Options::length, 1, 1'000'000'000>,
     "maximum number of frames (default: all; of a synthetic clip 100)"},
    {"--out", kRun, one, text<&Options::out>,
     "the PNG to write; for a clip a video file (.mp4, .y4m), or folder/ for PNGs; of a folder, "
     "folder/"},
    {"--check", kRun, nothing, yes<&Options::check>, "compare the output with the reference"},
    {"--variant", kRun, one, set_variants, "one variant (default: the lab's best)"},
    {"--variant", kVerify | kBench | kTimeline, list, set_variants,
     "one variant, or a list with commas (default: all)"},
    {"--filter", kJobs, one, of_filter<text<&Options::filter>>,
     "identity box gaussian sharpen edge laplacian emboss sobel_x sobel_y unsharp, or taps: "
     "\"3x3: 1 2 1 2 4 2 1 2 1 / 16\" (default: gaussian); lab 10: box, gaussian or median"},
    {"--ksize", kRun | kTimeline, list, of_filter<set_ksizes>, "side K of the filter, odd"},
    {"--ksize", kBench, list, of_filter<set_ksizes>,
     "side K of the filter, odd; or a list with commas"},
    {"--sigma", kJobs, one, of_filter<set_sigma>, "standard deviation of the Gaussian in pixels"},
    {"--border", kJobs, one, of_filter<set_border>,
     "constant[:VALUE] replicate reflect reflect101 wrap valid renormalise (default: replicate)"},
    {"--type", kJobs, one,
     one_of<&Options::type, PixelType::uint8, PixelType::int32, PixelType::float32>,
     "uint8, int32 or float32 (default: the variant's first)"},
    {"--channels", kJobs, one, one_of<&Options::channels, 1, 3, 4>,
     "1, 3 or 4 (default: the variant's first; run: the picture's)"},
    {"--layout", kRun, one, one_of<&Options::layout, Layout::interleaved, Layout::planar>,
     "interleaved or planar (default: interleaved)"},
    {"--size", kVerify, list, set_sizes,
     "only the scene at these sizes, with 5x5 (default: the protocol's sizes, after all other "
     "pictures)"},
    {"--size", kBench, list, set_sizes,
     "480p 720p 1080p 1440p 4k 8k, all, or 853x480; a list with commas (default: all; "
     "of a file in --image its own)"},
    {"--size", kTimeline, list, set_sizes, "one size (default: 8k)"},
    {"--quick", kVerify, nothing, yes<&Options::quick>, "small pictures, and few larger ones"},
    {"--repeated", kVerify, nothing, yes<&Options::repeated>,
     "with --quick: without what is the same in each order of threads"},
    {"--brief", kVerify | kBench, nothing, yes<&Options::brief>, "print one line, and what failed"},
    {"--data", kBench, one, set_data,
     "folder with the PNGs of `make data` (default: the scene is drawn)"},
    {"--iterations", kBench, one, whole<&Options::iterations, 1, kMaxRuns>,
     "timed runs (default: 100)"},
    {"--rounds", kBench, one, whole<&Options::rounds, 1, kMaxRuns>,
     "in a round all configurations of a size take turns (default: 10 rounds, of at least 5 runs)"},
    {"--warmup", kBench, one, whole<&Options::warmup, 0, kMaxRuns>,
     "untimed runs before those of each round (default: 1)"},
    {"--seed", kBench, one, whole<&Options::seed, 0, std::numeric_limits<int>::max()>,
     "of the random order in a round (default: a new one in each call)"},
    {"--no-pinning", kBench, nothing, set_no_pinning,
     "let the system move the threads between CPUs"},
    {"--cold", kBench, nothing, yes<&Options::cold>, "empty the caches before each run"},
    {"--kernel-only", kBench, nothing, yes<&Options::kernel_only>,
     "do not time the copies: total_ms stays empty (GPU)"},
    {"--only-timed", kBench, nothing, yes<&Options::only_timed>,
     "leave out GPU variants where there is no GPU to time them"},
    {"--csv", kVerify, one, set_csv, "append the results to this file"},
    {"--csv", kBench, one, set_csv, "append the rows to this file and continue from it"},
    {"--csv", kTimeline, one, set_csv, "write the rows to this file"},
    {"--csv", kRun, one, set_csv,
     "append a row to this file: a clip's frames per second, the time of each stage"},
    {"--fresh", kVerify | kBench, nothing, yes<&Options::fresh>, "drop the rows in the file"},
    {"--pictures", kVerify, one, text<&Options::pictures>, "folder for a picture of each failure"},
    {"--time-limit", kVerify | kBench, one, whole<&Options::time_limit_s, 1, kMaxRuns>,
     "seconds after which a variant that has not ended has failed (default: 60, and more for large "
     "pictures)"},
    {"--count", kBench, nothing, yes<&Options::count>,
     "print the number of rows, on any machine, and stop"},
};

}  // namespace

std::span<const OptionLine> option_lines() { return kOptions; }

std::vector<int> number_list(const std::vector<std::string>& items, const std::string& option,
                             bool takes_lists) {
    const auto number = [&](std::string_view text) { return whole_number(text, option, 1, 65536); };
    std::vector<int> numbers;
    for (const std::string_view item : items) {
        const auto dash = item.find('-', 1);  // one in front is a sign
        const auto colon = item.find(':');
        if (dash == std::string_view::npos) {
            add_once(numbers, number(item));
            continue;
        }
        const int first = number(item.substr(0, dash));
        const int last = number(item.substr(dash + 1, colon - dash - 1));
        const int step = colon == std::string_view::npos ? 1 : number(item.substr(colon + 1));
        if (last < first)
            throw UsageError("Option " + option + ": the range '" + std::string(item) +
                             "' ends before it begins.");
        for (int n = first; n <= last; n += step) add_once(numbers, n);
    }
    if (numbers.size() > 1 && !takes_lists)
        throw UsageError("Option " + option + ": this command takes one value, not '" +
                         items.front() + "' and more; bench takes lists.");
    return numbers;
}

}  // namespace convolab
