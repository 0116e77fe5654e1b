// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <algorithm>
#include <utility>

#include "translate.hpp"

namespace cuda_on_cpu {

bool Source::is(std::size_t i, std::string_view text) const {
    return i < size() && tokens_[i].kind != Token::Kind::string && tokens_[i].text == text;
}

bool Source::is_word(std::size_t i) const {
    return i < size() && tokens_[i].kind == Token::Kind::word;
}

bool Source::is_name(std::size_t i) const {
    static constexpr std::string_view others[] = {"return",    "else",     "do",     "case",
                                                  "co_return", "co_yield", "throw",  "if",
                                                  "while",     "for",      "switch", "constexpr"};
    return is_word(i) &&
           std::find(std::begin(others), std::end(others), tokens_[i].text) == std::end(others);
}

bool Source::in_directive(std::size_t i) const {
    std::size_t line = tokens_[i].begin;
    do line = line == 0 ? none : text_.rfind('\n', line - 1);
    while (line != none && line > 0 && text_[line - 1] == '\\');
    const std::size_t first = text_.find_first_not_of(" \t", line == none ? 0 : line + 1);
    return text_[first] == '#';
}

std::size_t Source::opening(std::size_t i) const {
    for (int depth = 0; i < size(); --i) {
        depth += closes(i) - opens(i);
        if (depth == 0) return i;
    }
    return none;
}

std::size_t Source::closing(std::size_t i) const {
    for (int depth = 0; i < size(); ++i) {
        depth += opens(i) - closes(i);
        if (depth == 0) return i;
    }
    return none;
}

std::size_t Source::opening_angle(std::size_t i) const {
    for (int depth = 0; i < size() && !is(i, ";") && !opens(i); --i) {
        if (closes(i)) i = opening(i);
        depth += is(i, ">") - is(i, "<");
        if (depth == 0) return i;
    }
    return none;
}

void Source::insert_before(std::size_t i, std::string text) {
    edits_.push_back({tokens_[i].begin, 0, std::move(text)});
}

void Source::replace(std::size_t i, std::string text) {
    edits_.push_back({tokens_[i].begin, tokens_[i].text.size(), std::move(text)});
}

std::string Source::edited() const {
    auto edits = edits_;
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string result;
    std::size_t from = 0;
    for (const Edit& edit : edits) {
        result.append(text_, from, edit.begin - from).append(edit.text);
        from = edit.begin + edit.length;
    }
    return result.append(text_, from);
}

void Source::reject(std::size_t i, const std::string& why) const {
    const auto place = text_.begin() + static_cast<std::ptrdiff_t>(tokens_[i].begin);
    const auto line = 1 + std::count(text_.begin(), place, '\n');
    throw TranslationError(file_ + ":" + std::to_string(line) + ": error: " + why);
}

}  // namespace cuda_on_cpu
