// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/driver/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "common/base/did_you_mean.hpp"
#include "common/base/error.hpp"
#include "common/driver/option_table.hpp"
#include "common/measurement/machine.hpp"

namespace convolab {
namespace {

using namespace option_table;

std::string meaning(const Setting& setting, unsigned in) {
    const std::string standard =
        *setting.standard ? setting.standard : std::to_string(Settings{}.*setting.value);
    const std::string list = (in & kBench) ? "; or a list, 1,2,4 or 2-16:2" : "";
    return setting.meaning + list + " (default: " + standard + ')';
}

/// Where CLI11 puts what it reads, of one command.
struct Sink {
    std::map<std::string, std::vector<std::string>> texts;
    std::map<std::string, bool> flags;
};

void add_options(CLI::App& app, unsigned in, Sink& sink) {
    for (const OptionLine& line : kOptions) {
        if ((line.in & in) == 0) continue;
        if (line.takes == Takes::nothing) {
            app.add_flag(line.name, sink.flags[line.name], line.meaning);
            continue;
        }
        auto* option = app.add_option(line.name, sink.texts[line.name], line.meaning);
        if (line.takes == Takes::list)
            option->delimiter(',');
        else
            option->expected(1);
    }
    if (in & (kRun | kBench | kTimeline))
        for (const Setting& setting : kSettings) {
            const std::string name = option_name(setting);
            app.add_option(name, sink.texts[name], meaning(setting, in))->delimiter(',');
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
    std::vector<std::string> names;
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

}  // namespace

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

std::string CommandLine::text(const std::string& option, const std::string& otherwise) const {
    return has(option) ? given.at(option).back() : otherwise;
}

std::vector<std::string> CommandLine::list(const std::string& option) const {
    return has(option) ? given.at(option) : std::vector<std::string>{};
}

std::optional<CommandLine> read_command_line(int argc, char** argv, const Lab& lab) {
    require_command(argc, argv, lab);
    CLI::App app{"Convolab, lab " + lab.name +
                 ": variants of one computation, verified and timed."};
    app.set_version_flag("--version", version_text(lab), "what this program was built from");
    app.require_subcommand(1);
    std::map<Command, Sink> sinks;
    std::map<Command, CLI::App*> apps;
    for (const auto& [command, in, name, meaning] : kCommands) {
        apps[command] = app.add_subcommand(name, meaning);
        add_options(*apps[command], in, sinks[command]);
    }
    for (const LabCommand& own : lab.commands) app.add_subcommand(own.name, own.meaning);
    if (!parse(app, argc, argv)) return {};
    CommandLine line;
    line.program = argv[0];
    for (const auto& [command, each] : apps)
        if (each->parsed()) line.command = command;
    for (const auto& [name, texts] : sinks[line.command].texts) {
        if (apps[line.command]->count(name) == 0) continue;
        for (const auto& text : texts)
            if (text.empty()) throw UsageError("Option " + name + " needs a value, not ''.");
        line.given[name] = texts;
    }
    for (const auto& [name, set] : sinks[line.command].flags)
        if (set) line.given[name] = {};
    return line;
}

}  // namespace convolab
