// SPDX-License-Identifier: MIT
#include "common/driver/run_lab.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "common/base/error.hpp"
#include "common/driver/command_line.hpp"
#include "common/driver/commands.hpp"
#include "common/driver/supervisor.hpp"
#include "common/measurement/columns.hpp"
#include "common/measurement/csv.hpp"

namespace convolab {
namespace {

int list_command(const Lab& lab) {
    std::size_t widest = 0;
    for (const auto* variant : lab.variants) widest = std::max(widest, variant->name.size());
    for (const auto* variant : lab.variants)
        std::cout << variant->name << std::string(widest + 2 - variant->name.size(), ' ')
                  << variant->idea << '\n';
    return 0;
}

int columns_command() {
    std::cout << csv_line({"file", "column", "kind", "unit", "key", "meaning"});
    const auto print = [](const std::string& file, const std::vector<Column>& columns) {
        for (const auto& [name, kind, unit, meaning, key] : columns)
            std::cout << csv_line({file, name, to_string(kind), unit, key ? "1" : "0", meaning});
    };
    print("timing", timing_columns());
    print("sessions", session_columns());
    print("settings", setting_columns());
    print("verify", verify_columns());
    print("timeline", timeline_columns());
    print("clip", clip_columns());
    return 0;
}

int dispatch(int argc, char** argv, const Lab& lab) {
    for (const LabCommand& own : lab.commands)
        if (argc > 1 && own.name == argv[1]) return own.run(argc - 1, argv + 1);
    const auto options = parse_options(argc, argv, lab);
    if (!options) return 0;
    for (const std::string& note : options->notes) std::cerr << "note: " << note << '\n';
    switch (options->command) {
        case Command::list:
            return list_command(lab);
        case Command::columns:
            return columns_command();
        case Command::run:
            return options->video.empty() ? run_command(lab, *options)
                                          : run_clip_command(lab, *options);
        case Command::verify:
            return verify_command(lab, *options);
        case Command::bench:
            return bench_command(lab, *options);
        case Command::timeline:
            return timeline_command(lab, *options);
    }
    return 2;
}

}  // namespace

int run_lab(int argc, char** argv, const Lab& lab) {
    const std::string command = argc > 1 ? argv[1] : "";
    if (command != "verify" && command != "bench") return run_lab_here(argc, argv, lab);
    return supervise(lab.name, [&] { return run_lab_here(argc, argv, lab); });
}

int run_lab_here(int argc, char** argv, const Lab& lab) {
    int code = 0;
    try {
        code = dispatch(argc, argv, lab);
        std::cout.flush();
        if (!std::cout)
            throw Error("The output cannot be written to the terminal or pipe it goes to.");
    } catch (const UsageError& error) {
        std::cerr << "error: " << error.what() << '\n';
        code = 2;
    } catch (const UnfitSetting& error) {
        std::cerr << "error: " << error.what() << '\n';
        code = 2;
    } catch (const std::bad_alloc&) {
        std::cerr
            << "error: The machine has not enough memory for this image; use a smaller one.\n";
        code = 1;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        code = 1;
    }
    return code;
}

}  // namespace convolab
