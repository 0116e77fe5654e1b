// SPDX-License-Identifier: MIT
#include "device/base/source_line.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
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

// Takes "lab.cu:40", relative to the current folder, from a line of addr2line; empty if the program
// has no debug information.
std::string place(std::string line) {
    line = line.substr(0, std::min(line.find('\n'), line.find(" (discriminator")));
    const std::string number = line.substr(line.find_last_of(':') + 1);
    if (number.empty() || number == "0" || number == "?") return {};
    char here[4096];
    if (getcwd(here, sizeof here) != nullptr && line.rfind(std::string(here) + "/", 0) == 0)
        line.erase(0, std::string(here).size() + 1);
    return line;
}

// Whether the line is the emulator's, whatever its folder is called: one of these two files is in
// it, or in the room beside.
bool is_own(const std::string& at) {
    const std::string folder = at.substr(0, at.find_last_of('/') + 1);
    return at.find(".cu:") == std::string::npos &&
           (access((folder + "cuda_runtime.h").c_str(), F_OK) == 0 ||
            access((folder + "../base/source_line.cpp").c_str(), F_OK) == 0);
}

// Whether the line belongs to neither the emulator nor the system.
bool is_users(const std::string& at) {
    return !at.empty() && !is_own(at) && at.rfind("/usr/", 0) != 0;
}

// "lab.cu:40", or nothing. If the compiler inlined functions, the innermost comes first.
using Places = std::vector<std::string>;

// With -a, addr2line prints the address, then the line of each function there.
std::vector<Places> ask_addr2line(const std::vector<const void*>& code) {
    std::uintptr_t base = 0;
    dl_iterate_phdr(take_base, &base);
    std::string command = "addr2line -a -i -e /proc/" + std::to_string(getpid()) + "/exe";
    char address[32];
    for (const void* one : code) {
        std::snprintf(address, sizeof address, " %#zx",
                      reinterpret_cast<std::uintptr_t>(one) - base);
        command += address;
    }
    std::vector<Places> result;
    for (const std::string& line : lines_of(command + " 2>/dev/null")) {
        if (line.rfind("0x", 0) == 0)
            result.emplace_back();
        else if (!result.empty())
            result.back().push_back(place(line));
    }
    result.resize(code.size());
    return result;
}

// addr2line takes long for a large program. So it starts once for all of these addresses, and never
// again for the same address.
std::vector<Places> places_of(const std::vector<const void*>& code) {
    static auto& known = *new std::map<const void*, Places>;
    static auto& lock = *new std::mutex;
    const std::lock_guard guard(lock);
    std::vector<const void*> asked;
    for (const void* one : code)
        if (known.count(one) == 0 && is_in_program(one)) asked.push_back(one);
    const std::vector<Places> found = asked.empty() ? std::vector<Places>{} : ask_addr2line(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) known[asked[i]] = found[i];
    std::vector<Places> result;
    for (const void* one : code) result.push_back(known[one]);
    return result;
}

struct Called {
    std::string line;
    const void* code;  // after the call
};

// The callers' lines outside the emulator, the nearest caller first.
std::vector<Called> program_lines(const Frames& frames) {
    std::vector<const void*> calls;
    for (int i = 0; i < frames.count; ++i)
        calls.push_back(static_cast<const char*>(frames.code[i]) - 1);
    const std::vector<Places> places = places_of(calls);
    std::vector<Called> lines;
    for (std::size_t i = 0; i < places.size(); ++i)
        for (const std::string& line : places[i])
            if (!line.empty() && !is_own(line)) lines.push_back({line, frames.code[i]});
    return lines;
}

Finding text_of(const std::string& outer, const std::string& inner) {
    if (outer.empty() || outer == inner) return inner.empty() ? "" : ", at " + at(inner);
    return ", at " + at(outer) + (inner.empty() ? "" : " (in " + at(inner) + ")");
}

}  // namespace

bool is_in_program(const void* code) {
    Dl_info here{}, there{};
    return dladdr(reinterpret_cast<void*>(&is_in_program), &here) != 0 &&
           dladdr(code, &there) != 0 && here.dli_fbase == there.dli_fbase;
}

Finding source_line(const void* code) {
    const Places places = places_of({code}).front();
    if (places.empty()) return {};
    const auto inner = std::find_if(places.begin(), places.end() - 1,
                                    [](const std::string& line) { return !is_own(line); });
    return text_of(places.back(), *inner);
}

std::string users_line(const void* code) {
    const Places places = places_of({code}).front();
    const auto line = std::find_if(places.begin(), places.end(), is_users);
    return line == places.end() ? "" : *line;
}

std::vector<std::string> outer_lines(const std::vector<const void*>& code) {
    std::vector<std::string> result;
    for (const Places& places : places_of(code)) {
        const auto outer = std::find_if(places.rbegin(), places.rend(), is_users);
        result.push_back(outer == places.rend() ? "" : *outer);
    }
    return result;
}

Frames calling_frames() {
    Frames frames;
    frames.count = backtrace(frames.code, 24);
    return frames;
}

CallingLine calling_line() { return calling_line(calling_frames()); }

CallingLine calling_line(const Frames& frames) {
    const std::vector<Called> lines = program_lines(frames);
    if (lines.empty()) return {};
    const auto cuda = std::find_if(lines.begin(), lines.end(), [](const Called& one) {
        return one.line.find(".cu:") != std::string::npos;
    });
    const std::string& inner = lines.front().line;
    return {text_of(cuda == lines.end() ? "" : cuda->line, inner), lines.front().code};
}

Finding calling_place(const Frames& frames) {
    Finding line = calling_line(frames).text;
    if (!line.empty()) line.text.erase(0, 1);  // the comma
    return line;
}

std::string users_calling_line() {
    for (const Called& one : program_lines(calling_frames()))
        if (is_users(one.line)) return one.line;
    return {};
}

Finding line_behind_caller() {
    int found = 0;
    for (const Called& one : program_lines(calling_frames()))
        if (is_users(one.line) && ++found == 2) return text_of("", one.line);
    return {};
}

}  // namespace cuda_on_cpu
