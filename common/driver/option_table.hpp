// SPDX-License-Identifier: MIT
// The commands of a lab program and their options. The settings of a variant are in settings.hpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/driver/options.hpp"

namespace convolab {

/// Commands that an option belongs to.
enum In : unsigned { kNone = 0, kRun = 1, kVerify = 2, kBench = 4, kTimeline = 8 };

struct CommandName {
    Command command;
    In in;
    const char* name;
    const char* meaning;
};
inline constexpr CommandName kCommands[] = {
    {Command::list, kNone, "list", "the variants of this lab"},
    {Command::columns, kNone, "columns", "the columns of the result files, as CSV"},
    {Command::run, kRun, "run", "filter one picture or one clip"},
    {Command::verify, kVerify, "verify", "compare every variant with the reference, byte for byte"},
    {Command::bench, kBench, "bench", "verify, time, verify again; one row per configuration"},
    {Command::timeline, kTimeline, "timeline",
     "when each copy and kernel of one run began and ended; one row per step"},
};

inline constexpr unsigned kJobs = kRun | kBench | kTimeline;

/// What the command line says of one option.
struct Given {
    const char* option;
    In command;
    const Lab& lab;
    const std::vector<std::string>& texts;  ///< none of a flag; a list was split
    const std::string& text() const { return texts.back(); }
    [[noreturn]] void fail(const std::string& why) const {
        throw UsageError("Option " + std::string(option) + why);
    }
};
using Set = void (*)(Options&, const Given&);

enum class Takes { nothing, one, list };
struct OptionLine {
    const char* name;
    unsigned in;
    Takes takes;
    Set set;
    const char* meaning;
};
/// In the order of --help.
std::span<const OptionLine> option_lines();

/// Whole numbers from 1 to 65536, each once; "2-16:2" is 2, 4, .. 16. takes_lists: else one number.
std::vector<int> number_list(const std::vector<std::string>& items, const std::string& option,
                             bool takes_lists);

}  // namespace convolab
