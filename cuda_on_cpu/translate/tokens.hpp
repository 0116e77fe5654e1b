// SPDX-License-Identifier: MIT
// C++ text as words: comments and white space are left out, strings are one word.
#pragma once

#include <cstddef>
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

}  // namespace cuda_on_cpu
