// SPDX-License-Identifier: MIT
// translate INPUT OUTPUT: makes C++ of a CUDA source or header (how_it_works.md in the folder above).
// With FOLDER the headers that it includes, too, which are looked for beside it and in the folders
// SEARCHED: FOLDER/path/of/header. -rdc is nvcc's; -c: INPUT is C.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "translate.hpp"

namespace {

// The compiler names the lines of `file`. cuda_runtime.h looks for the macro.
std::string with_places(const std::string& text, const std::string& file) {
    std::string name;
    for (const char c : file) {
        if (c == '"' || c == '\\') name += '\\';
        name += c;
    }
    return "#define CUDA_ON_CPU_TRANSLATED 1\n#line 1 \"" + name + "\"\n" + text;
}

// The text at `output`, or why not.
std::string write(const std::string& text, const std::string& output) {
    std::error_code ignored;  // the file cannot be opened then
    std::filesystem::create_directories(std::filesystem::path(output).parent_path(), ignored);
    std::ofstream to(output, std::ios::binary);
    to << text << std::flush;
    if (to) return {};
    const std::string why = std::strerror(errno);
    std::remove(output.c_str());
    return "error: cannot write " + output + ": " + why + ".";
}

std::string translate_file(const std::string& input, const std::string& output,
                           cuda_on_cpu::Headers* headers) {
    std::ifstream from(input, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(from), {}};
    if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);  // the mark of UTF-8
    if (!from) return "error: cannot read " + input + ": " + std::strerror(errno) + ".";
    try {
        return write(with_places(cuda_on_cpu::translate(text, input, headers), input), output);
    } catch (const cuda_on_cpu::TranslationError& error) {
        return error.what();
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s INPUT OUTPUT [FOLDER [-rdc] [-c] [SEARCHED...]]\n",
                     arguments[0]);
        return 2;
    }
    cuda_on_cpu::Headers headers;
    if (count > 3) headers.folder = arguments[3];
    for (int i = 4; i < count; ++i)
        if (std::string(arguments[i]) == "-rdc")
            headers.one_name = true;
        else if (std::string(arguments[i]) == "-c")
            headers.is_c = true;
        else
            headers.search.emplace_back(arguments[i]);
    std::string wrong = translate_file(arguments[1], arguments[2], count > 3 ? &headers : nullptr);
    for (std::size_t i = 0; wrong.empty() && i < headers.found.size(); ++i) {
        const std::string header = headers.found[i];
        wrong = translate_file(header, headers.translation_of(header), &headers);
    }
    if (!wrong.empty()) std::fprintf(stderr, "%s\n", wrong.c_str());
    return wrong.empty() ? 0 : 1;
}
