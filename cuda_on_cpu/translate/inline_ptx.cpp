// SPDX-License-Identifier: MIT
#include "inline_ptx.hpp"

#include <regex>
#include <string>

namespace cuda_on_cpu {
namespace {

// "laneid"; empty if the instructions are others.
std::string register_read_by(const std::string& instructions) {
    static const std::regex mov(
        R"(" *mov\.[usb](32|64) +%0, *%%(laneid|warpid|smid|lanemask_(eq|lt|le|gt|ge)|clock|clock64|globaltimer); *(\\n|\\t)*")");
    std::smatch match;
    return std::regex_match(instructions, match, mov) ? match[2].str() : "";
}

}  // namespace

void translate_inline_ptx(Source& source, std::size_t at) {
    std::size_t open = at + 1;
    while (source.is(open, "volatile") || source.is(open, "__volatile__")) ++open;
    const std::size_t operand = open + 4, end = source.closing(operand),
                      last = source.closing(open);
    const bool is_one_operand = source.is(open + 2, ":") && source.is(operand, "(") &&
                                last != Source::none && !source.is(end + 1, ",");
    const std::string name = is_one_operand ? register_read_by(source.text_of(open + 1)) : "";
    if (name.empty())
        return source.insert_before(
            at,
            "_Pragma(\"GCC error \\\"CUDA on the CPU does not have inline "
            "PTX, the code of a GPU, but to read %laneid and the like\\\"\") ");
    for (std::size_t i = at; i <= last; ++i)
        if (i < operand || i > end)
            source.replace(i, i == end + 1 ? " = ::cuda_on_cpu::ptx::" + name + "()" : "");
}

}  // namespace cuda_on_cpu
