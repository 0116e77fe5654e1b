// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Which commands and options there are, and the text that a command line gives for each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/driver/options.hpp"

namespace CLI {
class App;
}

namespace convolab {

struct CommandLine {
    Command command = Command::list;
    std::string program;
    std::map<std::string, std::vector<std::string>> given;  ///< by "--option"; lists were split

    bool has(const std::string& option) const { return given.count(option) > 0; }
    /// The one value of an option that takes one, or `otherwise`.
    std::string text(const std::string& option, const std::string& otherwise = "") const;
    /// Nothing where the option was not given.
    std::vector<std::string> list(const std::string& option) const;
};

/// Reads a command line. False: help or the version was asked for and printed. Throws UsageError.
bool parse(CLI::App& app, int argc, char** argv);

/// Nothing: help or the version was asked for and printed. Throws UsageError in one sentence.
std::optional<CommandLine> read_command_line(int argc, char** argv, const Lab& lab);

}  // namespace convolab
