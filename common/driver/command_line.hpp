// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "common/driver/options.hpp"

namespace CLI {
class App;
}

namespace convolab {

/// Throws UsageError in one sentence. Nothing: help or the version was asked for and printed.
std::optional<Options> parse_options(int argc, char** argv, const Lab& lab);

/// What the command line says, not completed. Nothing, and throws, as above.
std::optional<Options> read_command_line(int argc, char** argv, const Lab& lab);
/// Reads a command line of an app that adds options. False, and throws, as above.
bool parse(CLI::App& app, int argc, char** argv);

}  // namespace convolab
