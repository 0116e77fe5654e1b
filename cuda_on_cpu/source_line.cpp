// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "source_line.hpp"

#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace cuda_on_cpu {
namespace {

// The first module is the program itself.
int take_base(dl_phdr_info* info, std::size_t, void* base) {
    *static_cast<std::uintptr_t*>(base) = info->dlpi_addr;
    return 1;
}

std::vector<std::string> lines_of(const std::string& command) {
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::vector<std::string> lines;
    for (char text[1024]; std::fgets(text, sizeof text, pipe) != nullptr;) lines.emplace_back(text);
    pclose(pipe);
    return lines;
}

// "lab.cu:40" of a line of addr2line, below this folder; empty where the program does not say.
std::string place(std::string line) {
    line = line.substr(0, line.find_first_of(" \n"));  // "(discriminator 2)" follows
    const std::string number = line.substr(line.find_last_of(':') + 1);
    if (number.empty() || number == "0" || number == "?") return {};
    char here[4096];
    if (getcwd(here, sizeof here) != nullptr && line.rfind(std::string(here) + "/", 0) == 0)
        line.erase(0, std::string(here).size() + 1);
    return line;
}

// Of the emulator, whatever its folder is called: in the folder of one of these two files.
bool is_own(const std::string& at) {
    const std::string folder = at.substr(0, at.find_last_of('/') + 1);
    return at.find(".cu:") == std::string::npos &&
           (access((folder + "cuda_runtime.h").c_str(), F_OK) == 0 ||
            access((folder + "source_line.cpp").c_str(), F_OK) == 0);
}

// The innermost of the functions that the compiler put into each other comes first.
std::vector<std::string> lines_at(std::uintptr_t code) {
    std::uintptr_t base = 0;
    dl_iterate_phdr(take_base, &base);
    char command[128];
    std::snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe %#zx 2>/dev/null",
                  getpid(), static_cast<std::size_t>(code - base));
    return lines_of(command);
}

std::string text_of(const std::string& outer, const std::string& inner) {
    if (outer.empty() || outer == inner) return inner.empty() ? "" : ", at " + inner;
    return ", at " + outer + (inner.empty() ? "" : " (in " + inner + ")");
}

}  // namespace

std::string source_line(const void* code) {
    const std::vector<std::string> lines = lines_at(reinterpret_cast<std::uintptr_t>(code));
    return lines.empty() ? "" : text_of(place(lines.back()), place(lines.front()));
}

CallingLine calling_line() {
    void* frames[24];
    const int count = backtrace(frames, 24);
    CallingLine result;
    std::string inner;  // the first outside of the emulator
    for (int i = 0; i < count; ++i)
        for (const std::string& line : lines_at(reinterpret_cast<std::uintptr_t>(frames[i]) - 1)) {
            const std::string at = place(line);
            if (at.empty() || is_own(at)) continue;
            if (inner.empty()) {
                inner = at;
                result = {text_of("", inner), frames[i]};
            }
            if (at.find(".cu:") == std::string::npos) continue;
            result.text = text_of(at, inner);
            return result;
        }
    return result;
}

}  // namespace cuda_on_cpu
