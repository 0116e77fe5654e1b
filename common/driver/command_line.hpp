// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/driver/options.hpp"

namespace convolab {

/// Throws UsageError in one sentence. Nothing: help or the version was asked for and printed.
std::optional<Options> parse_options(int argc, char** argv, const Lab& lab);

/// What the command line says, not completed. Nothing, and throws, as above.
std::optional<Options> read_command_line(int argc, char** argv, const Lab& lab);

/// An option of a command that is no job of a lab.
struct OwnOption {
    std::string name, meaning;
    std::function<void(const std::vector<std::string>&)> set;  ///< one text; of a list, several
    bool is_list = false, is_required = false;
};
OwnOption text_option(const std::string& name, const std::string& meaning, std::string& text);
OwnOption number_option(const std::string& name, const std::string& meaning, int least, int most,
                        const std::function<void(int)>& set);
/// Nothing is set, and false: help was asked for and printed. Throws as above.
bool read_options(int argc, char** argv, const std::string& title,
                  const std::vector<OwnOption>& options);

}  // namespace convolab
