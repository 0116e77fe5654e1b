// SPDX-License-Identifier: MIT
// A source file that is translated: its tokens, which brackets belong together, and edits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cuda_on_cpu {

struct Token {
    enum class Kind { word, number, string, sign } kind;
    std::size_t begin;  ///< place in the text
    std::string_view text;
};

/// Signs are single characters, except `::`, `->`, `>=`, `<=`, `<<` and `<<<`: a closing `>>` of
/// template arguments is two signs, a shift to the right too.
std::vector<Token> tokens_of(std::string_view text);

class Source {
  public:
    static constexpr std::size_t none = std::string::npos;

    /// `text` and `file`, which messages name, must outlive it.
    Source(const std::string& text, const std::string& file)
        : text_(text), file_(file), tokens_(tokens_of(text)) {}

    const std::string& file() const { return file_; }
    // Tokens by number. Beyond either end there is none, and nothing is true of it.
    std::size_t size() const { return tokens_.size(); }
    bool is(std::size_t i, std::string_view text) const;
    bool is_word(std::size_t i) const;
    /// A word after which no expression begins, as it does after `return`.
    bool is_name(std::size_t i) const;
    std::string text_of(std::size_t i) const { return std::string(tokens_[i].text); }
    /// On a line of the preprocessor.
    bool in_directive(std::size_t i) const;

    bool opens(std::size_t i) const { return is(i, "(") || is(i, "[") || is(i, "{"); }
    bool closes(std::size_t i) const { return is(i, ")") || is(i, "]") || is(i, "}"); }
    /// The bracket that belongs to the closing one at i, or none.
    std::size_t opening(std::size_t i) const;
    /// The bracket that belongs to the opening one at i, or none.
    std::size_t closing(std::size_t i) const;
    /// The `<` that belongs to the `>` at i, or none.
    std::size_t opening_angle(std::size_t i) const;

    void insert_before(std::size_t i, std::string text);
    void replace(std::size_t i, std::string text);
    std::string edited() const;

    /// Throws TranslationError with file and line of i.
    [[noreturn]] void reject(std::size_t i, const std::string& why) const;

  private:
    struct Edit {
        std::size_t begin, length;
        std::string text;
    };
    const std::string& text_;
    const std::string& file_;
    const std::vector<Token> tokens_;
    std::vector<Edit> edits_;
};

}  // namespace cuda_on_cpu
