// SPDX-License-Identifier: MIT
#include "variables.hpp"

#include <string>

#include "device_code.hpp"

namespace cuda_on_cpu {
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

// Of `__device__ int *d_sums, d_count;`: "__device__ int "
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
