// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "translate.hpp"

namespace cuda_on_cpu {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::vector<Token> read() {
        std::vector<Token> tokens;
        while (skip_blank(), at_ < text_.size()) {
            const std::size_t begin = at_;
            const Token::Kind kind = read_token();
            tokens.push_back({kind, begin, text_.substr(begin, at_ - begin)});
        }
        return tokens;
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool starts_with(std::string_view part) const { return text_.substr(at_, part.size()) == part; }
    void go_behind(std::string_view part) {
        const std::size_t found = text_.find(part, at_);
        at_ = found == std::string_view::npos ? text_.size() : found + part.size();
    }

    void skip_line() {
        for (; at_ < text_.size() && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;  // the next line belongs to this one
    }

    void skip_blank() {
        for (; at_ < text_.size();) {
            if (starts_with("//")) {
                skip_line();
            } else if (starts_with("/*")) {
                at_ += 2;
                go_behind("*/");
            } else if (text_[at_] == '\\' || static_cast<unsigned char>(text_[at_]) <= ' ') {
                ++at_;  // a backslash outside strings joins two lines
            } else {
                return;
            }
        }
    }

    // To the closing quote, or the end of the line: prose under `#if 0` may hold an apostrophe.
    void read_quoted(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == '\\') {
                ++at_;
            } else if (text_[at_] == quote) {
                ++at_;
                return;
            }
        }
        at_ = std::min(at_, text_.size());
    }

    void read_raw_string() {  // at the quote of R"end( ... )end"
        const std::size_t bracket = text_.find('(', at_);
        if (bracket == std::string_view::npos) {
            at_ = text_.size();
            return;
        }
        const std::string end = ")" + std::string(text_.substr(at_ + 1, bracket - at_ - 1)) + "\"";
        go_behind(end);
    }

    Token::Kind read_word() {
        const std::size_t begin = at_;
        while (is_letter(peek()) || is_digit(peek())) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (peek() != '"' && peek() != '\'') return Token::Kind::word;
        const std::string_view raw[] = {"R", "LR", "uR", "UR", "u8R"};
        const std::string_view prefixes[] = {"L", "u", "U", "u8"};
        const auto is_one_of = [&](const auto& list) {
            return std::find(std::begin(list), std::end(list), word) != std::end(list);
        };
        if (peek() == '"' && is_one_of(raw))
            read_raw_string();
        else if (is_one_of(prefixes))
            read_quoted(peek());
        else
            return Token::Kind::word;
        return Token::Kind::string;
    }

    Token::Kind read_token() {
        const char c = peek();
        if (is_letter(c)) return read_word();
        if (c == '"' || c == '\'') {
            read_quoted(c);
            return Token::Kind::string;
        }
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            // 1'000, 0x1p-3f, .5: an apostrophe here begins no character
            while (is_letter(peek()) || is_digit(peek()) || peek() == '.' ||
                   (peek() == '\'' && (is_letter(peek(1)) || is_digit(peek(1)))) ||
                   ((peek() == '+' || peek() == '-') && is_exponent(text_[at_ - 1])))
                ++at_;
            return Token::Kind::number;
        }
        for (const std::string_view sign : {"<<<", "<<", "<=", ">=", "->", "::"})
            if (starts_with(sign)) {
                at_ += sign.size();
                return Token::Kind::sign;
            }
        ++at_;
        return Token::Kind::sign;
    }

    static bool is_exponent(char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Reader(text).read(); }

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
