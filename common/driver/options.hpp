// SPDX-License-Identifier: MIT
// What a command line of a lab asks for. It is read by option_table.cpp and command_line.cpp, and
// then completed here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/image/image.hpp"
#include "common/image/sizes.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

enum class Command { list, columns, run, verify, bench, timeline };

struct Options {
    Command command = Command::list;
    std::string program;  ///< as it was called

    // what to compute
    std::string image;  ///< see PictureSource
    std::string filter = "gaussian";
    std::vector<int> ksizes;  ///< empty: the filter's own
    std::optional<double> sigma;
    std::vector<Filter> filters;  ///< those, made; one for each side
    Border border;
    std::optional<PixelType> type;  ///< without: the variant's first
    std::optional<int> channels;    ///< without: the variant's first (bench), the file's (run)
    std::optional<Layout> layout;   ///< of the image that run gives to the variant

    // with what
    std::vector<const Variant*> variants;
    bool all_variants = false;  ///< none was named, so all of the lab's were taken
    SettingLists settings;

    // run
    std::string out;
    std::string video;          ///< a clip instead of `image`: see open_source()
    std::optional<int> length;  ///< of the clip, at most
    bool check = false;
    bool best_variant = false;  ///< none was named, so the lab's best was taken

    // verify, bench and timeline
    std::string csv;       ///< also of run, for clips
    std::string pictures;  ///< folder for the pictures of failures
    std::vector<Size> sizes;
    int iterations = 100;
    int warmup = 1;                      ///< runs before the timed ones of each round
    int rounds = 0;                      ///< at most `iterations`
    std::uint64_t seed = 0;              ///< of the order in each round
    std::string pinning;                 ///< as the column: cores, cpus or off
    std::optional<double> time_limit_s;  ///< see limit_s()
    bool quick = false;
    bool repeated = false;    ///< quick, without what is the same in each order of threads
    bool brief = false;       ///< prints one line, and what failed
    bool only_sizes = false;  ///< verify: the scene at `sizes` and no other picture
    bool cold = false;
    bool kernel_only = false;  ///< without the runs whose copies are timed
    bool only_timed = false;   ///< without the variants that an emulator would run
    bool fresh = false;
    bool count = false;  ///< only print how many rows it would write
    std::string data;    ///< folder with the generated PNGs; without, the scene is drawn here

    std::vector<std::string> notes;  ///< for the user: options that change nothing

    /// That of side k; 0: of its own side.
    const Filter& filter_of(int k) const;
    /// How many seconds a variant may take for work that should take expected_s.
    double limit_s(double expected_s) const { return time_limit_s.value_or(60 + 20 * expected_s); }
    /// The first value of each list.
    Settings first_settings() const;
    /// The sides asked for; 0 stands for the filter's own.
    std::vector<int> ksizes_or_default() const { return ksizes.empty() ? std::vector{0} : ksizes; }
    /// Of run: " (the lab's best; --variant names another), identical to the reference", what of it
    /// is so.
    std::string how_it_ran() const;
};

/// Seconds of a run by a slow variant on an emulator. taps: samples times taps of each.
constexpr double slow_run_s(double taps) { return 1.5e-8 * taps; }

/// MPI ranks, where the command line names no number.
int default_ranks();

/// Fills in what the command line has left open. Throws UsageError in one sentence where options do
/// not go together.
void complete(Options& options, const Lab& lab);

}  // namespace convolab
