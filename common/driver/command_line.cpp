// SPDX-License-Identifier: MIT
// CLI11 reads the command line straight into Options, by option_table.cpp.
#include "common/driver/command_line.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>

#include "common/base/text.hpp"
#include "common/driver/option_table.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

using Texts = std::vector<std::string>;

/// What the options set. It waits until CLI11 has read the whole line: --help comes first, whatever
/// else is wrong.
using Later = std::vector<std::function<void()>>;

CLI::Option* add(CLI::App& app, const std::string& name, const std::string& meaning, Later& later,
                 const std::function<void(const Texts&)>& set) {
    const std::function<void(const Texts&)> given = [=, &later](const Texts& texts) {
        later.emplace_back([=] {
            for (const std::string& text : texts)
                if (text.empty()) throw UsageError("Option " + name + " needs a value, not ''.");
            set(texts);
        });
    };
    return app.add_option_function(name, given, meaning);
}

void add_options(CLI::App& app, In command, const Lab& lab, Options& options, Later& later) {
    for (const OptionLine& line : option_lines()) {
        if ((line.in & command) == 0) continue;
        const auto set = [&, command](const Texts& texts) {
            line.set(options, {line.name, command, lab, texts});
        };
        if (line.takes == Takes::nothing)
            app.add_flag_callback(
                line.name, [set] { set({}); }, line.meaning);
        else if (line.takes == Takes::list)
            add(app, line.name, line.meaning, later, set)->delimiter(',');
        else
            add(app, line.name, line.meaning, later, set)->expected(1);
    }
}

void add_settings(CLI::App& app, In command, Options& options, Later& later) {
    const bool lists = command == kBench;
    for (std::size_t i = 0; i < std::size(kSettings) && (command & kJobs); ++i) {
        const Setting& setting = kSettings[i];
        const std::string name = option_name(setting);
        const std::string standard =
            *setting.standard ? setting.standard : std::to_string(Settings{}.*setting.value);
        const std::string meaning = setting.meaning +
                                    std::string(lists ? "; or a list, 1,2,4 or 2-16:2" : "") +
                                    " (default: " + standard + ')';
        add(app, name, meaning, later, [&options, i, name, lists](const Texts& texts) {
            options.settings[i] = number_list(texts, name, lists);
        })->delimiter(',');
    }
}

std::string version_text(const Lab& lab) {
    const BuildInfo& build = build_info();
    return "Convolab, lab " + lab.name + ", revision " + build.revision +
           (build.dirty ? " with changes" : "") + ", " + build.compiler + ' ' + build.flags;
}

void require_command(int argc, char** argv, const Lab& lab) {
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.starts_with("-")) return;
    Texts names;
    for (const auto& command : kCommands) names.emplace_back(command.name);
    for (const LabCommand& own : lab.commands) names.push_back(own.name);
    std::string known;
    for (const auto& name : names) {
        if (first == name) return;
        known += name + ", ";
    }
    throw UsageError(
        (argc > 1 ? "There is no command '" + first + "'; " : "A command is missing; ") +
        did_you_mean(first, names, "use one of " + known + "or --help."));
}

/// False: help or the version was asked for and printed.
bool parse(CLI::App& app, int argc, char** argv) try {
    app.parse(argc, argv);
    return true;
} catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    std::cout << (chosen.empty() ? app : *chosen.front()).help();
    return false;
} catch (const CLI::CallForVersion&) {
    std::cout << app.version() << '\n';
    return false;
} catch (const CLI::ArgumentMismatch& error) {
    for (int i = 1; i < argc; ++i)  // [1,2] is a list to CLI11
        if (argv[i][0] == '[')
            throw UsageError("'" + std::string(argv[i]) +
                             "' has brackets; leave them out: lists "
                             "have commas only, a filter is \"3x3: 1 2 1 2 4 2 1 2 1 / 16\".");
    const std::string text = error.what();
    throw UsageError("Option " + text.substr(0, text.find(':')) + " needs one value; see --help.");
} catch (const CLI::ExtrasError&) {  // its own words are in reverse order
    std::string words;
    for (const std::string& word : app.remaining(true)) words += ' ' + word;
    throw UsageError("Not expected here:" + words + "; see --help.");
} catch (const CLI::ParseError& error) {
    std::string text = error.what();
    if (!text.empty() && text.back() == '.') text.pop_back();
    throw UsageError(text + "; see --help.");
}

}  // namespace

std::optional<Options> read_command_line(int argc, char** argv, const Lab& lab) {
    require_command(argc, argv, lab);
    Options options;
    options.program = argv[0];
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    options.seed = static_cast<std::uint64_t>(now / std::chrono::seconds(1));
    CLI::App app{"Convolab, lab " + lab.name +
                 ": variants of one computation, verified and timed."};
    app.set_version_flag("--version", version_text(lab), "what this program was built from");
    app.require_subcommand(1);
    Later later;
    for (const auto& [command, in, name, meaning] : kCommands) {
        CLI::App* sub = app.add_subcommand(name, meaning);
        sub->callback([&options, command = command] { options.command = command; });
        add_options(*sub, in, lab, options, later);
        add_settings(*sub, in, options, later);
    }
    for (const LabCommand& own : lab.commands) app.add_subcommand(own.name, own.meaning);
    if (!parse(app, argc, argv)) return {};
    for (const auto& set : later) set();
    return options;
}

OwnOption text_option(const std::string& name, const std::string& meaning, std::string& text) {
    return {name, meaning, [&text](const Texts& texts) { text = texts.back(); }};
}

OwnOption number_option(const std::string& name, const std::string& meaning, int least, int most,
                        const std::function<void(int)>& set) {
    return {name, meaning,
            [=](const Texts& texts) { set(whole_number(texts.back(), name, least, most)); }};
}

bool read_options(int argc, char** argv, const std::string& title,
                  const std::vector<OwnOption>& options) {
    CLI::App app{title};
    Later later;
    for (const OwnOption& own : options) {
        CLI::Option* option = add(app, own.name, own.meaning, later, own.set);
        (own.is_list ? option->delimiter(',') : option->expected(1))->required(own.is_required);
    }
    if (!parse(app, argc, argv)) return false;
    for (const auto& set : later) set();
    return true;
}

std::optional<Options> parse_options(int argc, char** argv, const Lab& lab) {
    std::optional<Options> options = read_command_line(argc, argv, lab);
    if (options) complete(*options, lab);
    return options;
}

}  // namespace convolab
