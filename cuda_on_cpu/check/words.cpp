// SPDX-License-Identifier: MIT
#include "words.hpp"

#include <cstdlib>
#include <map>

#include "device/mistakes/report.hpp"
#include "device/mistakes/source_line.hpp"
#include "names.hpp"

namespace cuda_on_cpu::check {

const std::string& line_of(std::uint32_t code) {
    static auto& known = *new std::map<std::uint32_t, std::string>;
    const auto found = known.find(code);
    if (found != known.end()) return found->second;
    std::string line = users_line(static_cast<const char*>(code_at(code)) - 1);
    return known[code] = line.empty() ? "a line that the program does not name" : line;
}

std::string joined(const std::set<std::string>& words) {
    constexpr std::size_t limit = 5;
    std::string text;
    std::size_t number = 0;
    for (const std::string& word : words) {
        if (++number > limit) return text + " and others";
        if (number > 1) text += number == words.size() ? " and " : ", ";
        text += word;
    }
    return text;
}

std::string launch_name(const Launch& launch) { return name_of(launch.place); }

std::string thread_name(const Launch& launch, unsigned number, uint3 block) {
    const uint3 thread{number % launch.block.x, number / launch.block.x % launch.block.y,
                       number / launch.block.x / launch.block.y};
    return "thread " + text_of(thread) + " of block " + text_of(block);
}

}  // namespace cuda_on_cpu::check
