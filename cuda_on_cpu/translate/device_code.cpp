// SPDX-License-Identifier: MIT
#include <cstdio>
#include <set>
#include <string>

#include "parts.hpp"

namespace cuda_on_cpu {
namespace {

// The `{` of the function whose declaration contains `at`; none for what is no function.
std::size_t body_of(const Source& source, std::size_t at) {
    for (std::size_t i = at + 1, depth = 0; i < source.size(); ++i) {
        depth += (source.is(i, "(") ? 1 : 0);
        depth -= (source.is(i, ")") ? 1 : 0);
        if (depth > 0) continue;
        if (source.is(i, ";") || source.is(i, "=") || source.is(i, "}")) return Source::none;
        if (source.is(i, "{")) return i;
    }
    return Source::none;
}

// The host calls it, too, or `at` is the first of two such words.
bool is_of_both_sides(const Source& source, std::size_t at, std::size_t body) {
    if (source.is(at - 1, "__host__")) return true;
    for (std::size_t i = at + 1; i < body; ++i)
        if (source.is(i, "__host__") || source.is(i, "__global__") || source.is(i, "__device__"))
            return true;
    return false;
}

// "laneid", of "mov.u32 %0, %%laneid;" with line breaks behind it; empty if the instructions are
// others.
std::string register_read_by(const std::string& instructions) {
    static const std::set<std::string> known{
        "laneid",      "warpid",      "smid",  "lanemask_eq", "lanemask_lt", "lanemask_le",
        "lanemask_gt", "lanemask_ge", "clock", "clock64",     "globaltimer"};
    char type[2], name[16];
    int bits = 0, end = 0;
    const int read = std::sscanf(instructions.c_str(), "\" mov.%1[usb]%d %%0, %%%%%15[a-z0-9_]; %n",
                                 type, &bits, name, &end);
    if (read != 3 || end == 0 || (bits != 32 && bits != 64)) return {};
    const std::string rest = instructions.substr(static_cast<std::size_t>(end));
    const bool ends = rest.find_first_not_of("\\nt\"") == std::string::npos;
    return ends && known.contains(name) ? name : "";
}

// At `asm`: what reads one special register, include/ptx_registers.hpp, becomes an assignment,
//
//     asm("mov.u32 %0, %%laneid;" : "=r"(lane));      (lane) = ::cuda_on_cpu::ptx::laneid();
//
// and everything else an error.
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

void translate_arch(Source& source, std::size_t i) {
    if (source.is(i - 1, "ifdef")) source.replace(i - 1, "if");
    if (source.is(i - 1, "ifndef")) source.replace(i - 1, "if !");
    source.replace(i, "900");
    if (source.is(i - 1, "defined")) source.replace(i - 1, "");
    if (source.is(i - 1, "(") && source.is(i - 2, "defined")) source.replace(i - 2, "");
}

}  // namespace

void translate_arch_outside(Source& source, std::size_t i) {
    for (const char* const word : {"defined", "ifdef", "ifndef", "undef", "define"})
        if (source.is(i - 1, word) || (source.is(i - 1, "(") && source.is(i - 2, word))) return;
    source.replace(i, "900");
}

void make_static(Source& source, std::size_t at) {
    const auto is_space = [&](std::size_t i) {
        return source.is(i, "__constant__") || source.is(i, "__device__") ||
               source.is(i, "__managed__");
    };
    if (!is_space(at) || is_space(at - 1) || source.in_directive(at)) return;
    const auto has_storage = [&](std::size_t i) {
        for (const char* const word : {"static", "extern", "template", "__host__", "friend"})
            if (source.is(i, word)) return true;
        return false;
    };
    for (std::size_t i = at - 1; i < source.size() && !source.in_directive(i); --i) {
        if (source.is(i, ";") || source.is(i, "{") || source.is(i, "}")) break;
        if (has_storage(i)) return;
    }
    for (std::size_t i = at; i < source.size(); ++i) {
        if (has_storage(i)) return;
        if (source.is(i, ";") || source.is(i, "{") || source.is(i, "=")) break;
        if (!source.is(i, "(") || source.is(i - 1, "__align__") || source.is(i - 1, "alignas"))
            continue;
        while (i > at && !source.is_word(i)) --i;  // the function's name
        if (source.is(i - 1, "::")) return;        // a member's definition
        break;
    }
    source.insert_before(at, of_this_file);
}

void translate_device_code(Source& source, std::size_t at) {
    std::size_t i = body_of(source, at);
    if (i == Source::none || is_of_both_sides(source, at, i)) return;
    if (source.is(at, "__global__") && !source.in_directive(at))
        source.replace(i, "{ CUDA_ON_CPU_KERNEL;");
    for (int depth = 0; i < source.size(); ++i) {
        depth += source.is(i, "{") - source.is(i, "}");
        if (depth == 0) break;
        if (source.is(i, "__CUDA_ARCH__")) translate_arch(source, i);
        if (source.is(i, "asm") || source.is(i, "__asm__") || source.is(i, "__asm"))
            translate_inline_ptx(source, i);
    }
}

namespace {

bool is_space(const Source& source, std::size_t i) {
    return source.is(i, "__constant__") || source.is(i, "__device__");
}

// Words in front of what is no variable of this file, or of both sides.
bool rules_out(const Source& source, std::size_t i) {
    for (const char* const word :
         {"extern", "template", "friend", "typedef", "using", "struct", "class", "union", "enum",
          "operator", "__managed__", "__host__", "__global__", "__shared__"})
        if (source.is(i, word)) return true;
    return false;
}

// Behind the brackets of an attribute or of template arguments that begin at i; i if none do.
std::size_t behind_brackets(const Source& source, std::size_t i) {
    if (source.is(i, "<")) {
        for (int depth = 0; i < source.size(); ++i) {
            depth += source.is(i, "<") - source.is(i, ">");
            if (depth == 0) return i + 1;
        }
        return i;
    }
    const bool attribute = source.is(i, "[") && source.is(i + 1, "[");
    const bool specifier =
        source.is(i, "(") && (source.is(i - 1, "__align__") || source.is(i - 1, "alignas") ||
                              source.is(i - 1, "__attribute__") || source.is(i - 1, "decltype"));
    return (attribute || specifier) && source.closing(i) != Source::none ? source.closing(i) + 1
                                                                         : i;
}

// The type of `__device__ int *d_sums, d_count;`: "__device__ int "
std::string type_of(const Source& source, std::size_t begin, std::size_t name, bool one_file) {
    while (source.is(name - 1, "*") || (source.is(name - 1, "const") && source.is(name - 2, "*")))
        --name;
    std::string text;
    for (std::size_t i = begin; i < name; ++i) {
        one_file &= !source.is(i, "static");
        text += source.text_of(i) + " ";
    }
    return (one_file ? of_this_file : "") + text;
}

}  // namespace

void name_variables(Source& source, std::size_t at, bool one_file) {
    if (!is_space(source, at) || is_space(source, at - 1) || source.is(at - 1, "]") ||
        source.in_directive(at))
        return;
    std::size_t begin = at;  // of the declaration
    for (std::size_t i = at - 1; i < source.size() && !source.in_directive(i); --i) {
        if (source.is(i, ";") || source.is(i, "{") || source.is(i, "}")) break;
        if (rules_out(source, i)) return;
        begin = i;
    }
    std::string type;
    std::size_t name = Source::none;
    bool is_constant = false, is_set = false;
    for (std::size_t i = at; i < source.size(); ++i) {
        i = behind_brackets(source, i);
        if (rules_out(source, i) || source.is(i, "(") || source.in_directive(i)) return;
        is_constant |= source.is(i, "__constant__");
        const bool sets = source.is(i, "=") || source.is(i, "{");
        const bool ends = source.is(i, ",") || source.is(i, ";");
        if ((sets || ends || source.is(i, "[")) && name == Source::none) {
            name = i - 1;
            if (type.empty()) type = type_of(source, begin, name, one_file);
        }
        if (source.is(i, "[")) i = source.closing(i);
        for (; sets && i < source.size() && !source.is(i, ",") && !source.is(i, ";"); ++i)
            if (source.opens(i)) i = source.closing(i);
        if (i >= source.size() || (name != Source::none && !source.is_name(name))) return;
        is_set |= sets;
        if (!source.is(i, ",") && !source.is(i, ";")) continue;
        // What guards a variable stands behind it, so the next one gets a separate declaration.
        const bool is_last = source.is(i, ";");
        source.replace(i, "; CUDA_ON_CPU_VARIABLE(" + source.text_of(name) + ", " +
                              (is_constant ? "true" : "false") + ", " +
                              (is_set ? "true" : "false") + ");" + (is_last ? "" : " " + type));
        if (is_last) return;
        name = Source::none;
        is_set = false;
    }
}

}  // namespace cuda_on_cpu
