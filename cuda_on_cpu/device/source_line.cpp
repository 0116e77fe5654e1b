// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "device/source_line.hpp"

#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
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
    line = line.substr(0, std::min(line.find('\n'), line.find(" (discriminator")));
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

std::vector<std::string> addr2line(const char* options, std::uintptr_t code) {
    std::uintptr_t base = 0;
    dl_iterate_phdr(take_base, &base);
    char command[128];
    std::snprintf(command, sizeof command, "addr2line %s -e /proc/%d/exe %#zx 2>/dev/null", options,
                  getpid(), static_cast<std::size_t>(code - base));
    return lines_of(command);
}

// The innermost of the functions that the compiler put into each other comes first.
std::vector<std::string> lines_at(std::uintptr_t code) { return addr2line("-i", code); }

std::string text_of(const std::string& outer, const std::string& inner) {
    if (outer.empty() || outer == inner) return inner.empty() ? "" : ", at " + inner;
    return ", at " + outer + (inner.empty() ? "" : " (in " + inner + ")");
}

}  // namespace

std::string source_line(const void* code) {
    const std::vector<std::string> lines = lines_at(reinterpret_cast<std::uintptr_t>(code));
    return lines.empty() ? "" : text_of(place(lines.back()), place(lines.front()));
}

std::string users_line(const void* code) {
    for (const std::string& line : lines_at(reinterpret_cast<std::uintptr_t>(code))) {
        std::string at = place(line);
        if (!at.empty() && !is_own(at) && at.rfind("/usr/", 0) != 0) return at;
    }
    return {};
}

std::string function_at(const void* code) {
    const auto lines = addr2line("-i -f", reinterpret_cast<std::uintptr_t>(code));
    return lines.size() < 2 ? "" : lines[lines.size() - 2];  // before its line
}

// addr2line -a prints the address, then the lines there, the outermost one last.
std::vector<std::string> outer_lines(const std::vector<const void*>& code) {
    std::uintptr_t base = 0;
    dl_iterate_phdr(take_base, &base);
    std::string command = "addr2line -a -i -e /proc/" + std::to_string(getpid()) + "/exe";
    char address[32];
    for (const void* one : code) {
        std::snprintf(address, sizeof address, " %#zx",
                      reinterpret_cast<std::uintptr_t>(one) - base);
        command += address;
    }
    std::vector<std::string> result;
    for (const std::string& line : lines_of(command + " 2>/dev/null")) {
        const std::string at = place(line);
        if (line.rfind("0x", 0) == 0)
            result.emplace_back();
        else if (!result.empty() && !at.empty() && !is_own(at) && at.rfind("/usr/", 0) != 0)
            result.back() = at;
    }
    result.resize(code.size());
    return result;
}

Frames calling_frames() {
    Frames frames;
    frames.count = backtrace(frames.code, 24);
    return frames;
}

CallingLine calling_line() { return calling_line(calling_frames()); }

CallingLine calling_line(const Frames& frames) {
    CallingLine result;
    std::string inner;  // the first outside of the emulator
    for (int i = 0; i < frames.count; ++i)
        for (const std::string& line :
             lines_at(reinterpret_cast<std::uintptr_t>(frames.code[i]) - 1)) {
            const std::string at = place(line);
            if (at.empty() || is_own(at)) continue;
            if (inner.empty()) {
                inner = at;
                result = {text_of("", inner), frames.code[i]};
            }
            if (at.find(".cu:") == std::string::npos) continue;
            result.text = text_of(at, inner);
            return result;
        }
    return result;
}

std::string calling_place(const Frames& frames) {
    const std::string line = calling_line(frames).text;
    return line.empty() ? line : line.substr(1);
}

std::string line_behind_caller() {
    const Frames frames = calling_frames();
    int found = 0;
    for (int i = 0; i < frames.count; ++i)
        for (const std::string& line :
             lines_at(reinterpret_cast<std::uintptr_t>(frames.code[i]) - 1)) {
            const std::string at = place(line);
            if (!at.empty() && !is_own(at) && at.rfind("/usr/", 0) != 0 && ++found == 2)
                return text_of("", at);
        }
    return {};
}

}  // namespace cuda_on_cpu
