// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// translate INPUT OUTPUT: makes C++ of a CUDA source or header (README.md of the folder above).
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "translate.hpp"

namespace {

int fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    return 1;
}

// The compiler names the lines of `file`. cuda_runtime.h looks for the macro.
std::string with_places(const std::string& text, const std::string& file) {
    std::string name;
    for (const char c : file) {
        if (c == '"' || c == '\\') name += '\\';
        name += c;
    }
    return "#define CUDA_ON_CPU_TRANSLATED 1\n#line 1 \"" + name + "\"\n" + text;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        std::fprintf(stderr, "usage: %s INPUT OUTPUT\n", arguments[0]);
        return 2;
    }
    const std::string input = arguments[1], output = arguments[2];
    std::ifstream from(input, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(from), {}};
    if (!from) return fail("error: cannot read " + input + ": " + std::strerror(errno) + ".");
    try {
        const std::string translated = with_places(cuda_on_cpu::translate(text, input), input);
        std::error_code ignored;  // the file cannot be opened then
        std::filesystem::create_directories(std::filesystem::path(output).parent_path(), ignored);
        std::ofstream to(output, std::ios::binary);
        to << translated << std::flush;
        if (to) return 0;
    } catch (const cuda_on_cpu::TranslationError& error) {
        return fail(error.what());
    }
    const std::string why = std::strerror(errno);
    std::remove(output.c_str());
    return fail("error: cannot write " + output + ": " + why + ".");
}
