// SPDX-License-Identifier: MIT
#include "device_code.hpp"

#include "inline_ptx.hpp"

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

}  // namespace cuda_on_cpu
