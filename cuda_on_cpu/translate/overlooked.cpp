// SPDX-License-Identifier: MIT
// Statements that are easily wrong without a word: include/overlooked.hpp.
#include <algorithm>
#include <string>
#include <string_view>

#include "parts.hpp"

namespace cuda_on_cpu {
namespace {

// Those whose error is lost if it is not looked at.
bool is_call_of_cuda(const Source& source, std::size_t at) {
    static constexpr std::string_view beginnings[] = {
        "cudaMalloc", "cudaFree",  "cudaHost",  "cudaMem",     "cudaDeviceSync", "cudaCreateTex",
        "cudaStream", "cudaEvent", "cudaGraph", "cudaFuncSet", "cudaSetDevice"};
    if (!source.is_word(at) || !source.is(at + 1, "(")) return false;
    const std::string name = source.text_of(at);
    return std::any_of(std::begin(beginnings), std::end(beginnings),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// Behind `;`, a brace, `else`, or a condition.
bool begins_statement(const Source& source, std::size_t at) {
    for (const char* const before : {";", "{", "}", "else", "do"})
        if (source.is(at - 1, before)) return true;
    if (!source.is(at - 1, ")")) return false;
    const std::size_t condition = source.opening(at - 1);
    return condition != Source::none &&
           (source.is(condition - 1, "if") || source.is(condition - 1, "for") ||
            source.is(condition - 1, "while"));
}

// The bracket that opens the function's body around `at`, or none.
std::size_t enclosing_body(const Source& source, std::size_t at) {
    std::size_t depth = 0;
    for (std::size_t i = at; i-- > 0;) {
        if (source.is(i, "}")) ++depth;
        if (source.is(i, "{") && depth-- == 0) return source.is(i - 1, ")") ? i : Source::none;
    }
    return Source::none;
}

struct Uses {
    std::size_t first = Source::none, last = 0;  ///< of an element
    bool only_elements = true;
};
Uses uses_of(const Source& source, const std::string& name, std::size_t from, std::size_t to) {
    Uses uses;
    for (std::size_t i = from; i < to; ++i) {
        if (!source.is(i, name)) continue;
        uses.only_elements &=
            source.is(i + 1, "[") && !(source.is(i - 1, "&") && source.is(i - 2, "="));
        uses.first = std::min(uses.first, i);
        uses.last = i;
    }
    return uses;
}

}  // namespace

std::string same_dynamic_array(const Source& source, std::size_t at) {
    const std::size_t begin = enclosing_body(source, at);
    if (begin == Source::none) return {};
    const std::size_t end = source.closing(begin);
    bool is_dynamic = false;
    for (std::size_t i = begin; i < at; ++i) {
        is_dynamic = source.is(i, "__shared__") || (is_dynamic && !source.is(i, ";"));
        if (!is_dynamic || !source.is(i + 1, "[") || !source.is(i + 2, "]")) continue;
        const Uses first = uses_of(source, source.text_of(i), at + 1, end);
        const Uses second = uses_of(source, source.text_of(at), at + 1, end);
        if (first.only_elements && second.only_elements && second.first < first.last &&
            first.first < second.last)
            return source.text_of(i);
    }
    return {};
}

void check_element(Source& source, std::size_t at) {
    if (!source.is_word(at) || !source.text_of(at).starts_with("atomic") ||
        !source.is(at + 1, "(") || !source.is(at + 2, "&"))
        return;
    std::size_t i = at + 3, bracket = Source::none;
    // Not of a member: the last array of a struct may be longer than it says.
    while (source.is_word(i) || source.is(i, "::") || source.is(i, "[")) {
        if (!source.is(i, "[")) {
            bracket = Source::none;
        } else {
            bracket = i;
            i = source.closing(i);
            if (i == Source::none) return;
        }
        ++i;
    }
    if (bracket == Source::none || !source.is(i, ",")) return;
    for (std::size_t name = at + 3; name < bracket; ++name)
        if (source.is(name, ",")) return;
    source.replace(at + 2, "CUDA_ON_CPU_ELEMENT(");
    source.replace(bracket, ", (");
    source.replace(i - 1, "))");
}

void mark_unchecked(Source& source, std::size_t at) {
    if (!is_call_of_cuda(source, at) || !begins_statement(source, at)) return;
    const std::size_t end = source.closing(at + 1);
    if (end != Source::none && source.is(end + 1, ";"))
        source.insert_before(at, "CUDA_ON_CPU_UNCHECKED(" + source.text_of(at) + "), ");
}

}  // namespace cuda_on_cpu
