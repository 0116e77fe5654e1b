// SPDX-License-Identifier: MIT
#include "shifts.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace cuda_on_cpu {
namespace {

constexpr std::size_t none = Source::none;

// Where the part between brackets and semicolons begins that contains i.
std::size_t part_begin(const Source& source, std::size_t i) {
    for (; i > 0; --i) {
        if (source.is(i - 1, ";") || source.is(i - 1, "{") || source.is(i - 1, "}")) break;
        if (source.closes(i - 1) && source.opening(i - 1) != none)
            i = source.opening(i - 1) + 1;
        else if (source.opens(i - 1))
            break;
    }
    return i;
}

// Two closing signs of template arguments need two `<` in front of them, in the same brackets.
bool may_close_templates(const Source& source, std::size_t at) {
    int open = 0;
    for (std::size_t i = part_begin(source, at); i < at; ++i) {
        if (source.opens(i)) i = std::min(source.closing(i), at);
        open += source.is(i, "<");
        if (source.is(i, ">")) open = std::max(open - 1, 0);
    }
    return open > 1;
}

// How many tokens the shift at `at` has, without a `=` behind it; 0: it is none.
std::size_t length_of_shift(const Source& source, std::size_t at) {
    if (source.is(at - 1, "operator") || source.is(at - 1, ".") || source.in_directive(at))
        return 0;
    if (source.is(at, "<<")) return source.is(at + 1, "<") || source.is(at + 1, ".") ? 0 : 1;
    if (!source.is(at, ">") || !source.touches_next(at)) return 0;
    if (source.is(at + 1, ">=")) return 1;  // `>>=`
    const bool is_alone =
        !source.is(at - 1, ">") && !source.is(at + 2, ">") && !source.is(at + 2, ".");
    return source.is(at + 1, ">") && is_alone && !may_close_templates(source, at) ? 2 : 0;
}

// Nothing is wider than 64 bits, and few things are narrower than 32.
bool is_small_number(const Source& source, std::size_t i) {
    const std::string text = i < source.size() ? source.text_of(i) : "";
    const bool is_decimal =
        !text.empty() && text.size() <= 2 &&
        std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    for (const char* const sign : {"+", "-", "*", "/", "%"})
        if (source.is(i + 1, sign)) return false;
    return is_decimal && std::stoi(text) < 32;
}

// What the assignment at `at` changes, if that may be read twice: names, members, indices.
std::string left_side(const Source& source, std::size_t at) {
    std::size_t begin = at;
    for (; begin > 0; --begin) {
        const std::size_t before = begin - 1;
        const bool is_bracket = source.is(before, "]") || source.is(before, ")");
        const bool begins = source.is_name(begin) || source.is(begin, "*") || source.is(begin, "(");
        if (begin < at && source.is(begin, "(") && source.is_name(before)) return {};  // a call
        if (begin < at && begins && (is_bracket || source.is_name(before))) break;
        if (is_bracket && source.opening(before) == none) return {};
        if (is_bracket) begin = source.opening(before) + 1;
        const auto is_part = [&](const char* sign) { return source.is(before, sign); };
        if (!is_bracket && !source.is_name(before) && !is_part(".") && !is_part("->") &&
            !is_part("::") && !is_part("*"))
            break;
    }
    const auto steps = [&source](std::size_t i) {
        return (source.is(i, "+") || source.is(i, "-")) && source.is(i + 1, source.text_of(i));
    };
    if (begin > 1 && steps(begin - 2)) return {};
    std::string text;
    for (std::size_t i = begin; i < at; ++i) {
        const bool is_call = source.is(i, "(") && i > begin && source.is_name(i - 1);
        if (is_call || steps(i) || source.is(i, "=")) return {};
        text += (text.empty() ? "" : " ") + source.text_of(i);
    }
    return text;
}

}  // namespace

void translate_shift(Source& source, std::size_t at) {
    const std::size_t length = length_of_shift(source, at);
    if (length == 0) return;
    const bool assigns = source.is(at, "<<") ? source.is(at + 1, "=") : source.is(at + 1, ">=");
    const std::size_t operand = at + length + (assigns ? 1 : 0);
    if (is_small_number(source, operand)) return;
    if (!assigns) return source.insert_before(operand, "CUDA_ON_CPU_BY ");
    const std::string changed = left_side(source, at);
    if (!changed.empty()) source.insert_before(at, "= CUDA_ON_CPU_SHIFTED(" + changed + ") ");
}

}  // namespace cuda_on_cpu
