// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Capital letters and digits on a grid of 5 x 7 dots: the scene's text. One number is a row of a
// letter, its highest of five bits the leftmost dot.
#pragma once

#include <array>
#include <cstdint>

namespace convolab::scene {

using Glyph = std::array<std::uint8_t, 7>;

/// The dots of 'A'..'Z' and '0'..'9'; of any other character, none.
constexpr Glyph glyph(char c) {
    constexpr Glyph kLetters[] = {
        {14, 17, 17, 31, 17, 17, 17}, {30, 17, 17, 30, 17, 17, 30}, {14, 17, 16, 16, 16, 17, 14},
        {30, 17, 17, 17, 17, 17, 30}, {31, 16, 16, 30, 16, 16, 31}, {31, 16, 16, 30, 16, 16, 16},
        {14, 17, 16, 23, 17, 17, 14}, {17, 17, 17, 31, 17, 17, 17}, {14, 4, 4, 4, 4, 4, 14},
        {7, 2, 2, 2, 2, 18, 12},      {17, 18, 20, 24, 20, 18, 17}, {16, 16, 16, 16, 16, 16, 31},
        {17, 27, 21, 21, 17, 17, 17}, {17, 25, 25, 21, 19, 19, 17}, {14, 17, 17, 17, 17, 17, 14},
        {30, 17, 17, 30, 16, 16, 16}, {14, 17, 17, 17, 21, 18, 13}, {30, 17, 17, 30, 20, 18, 17},
        {15, 16, 16, 14, 1, 1, 30},   {31, 4, 4, 4, 4, 4, 4},       {17, 17, 17, 17, 17, 17, 14},
        {17, 17, 17, 17, 10, 10, 4},  {17, 17, 17, 21, 21, 27, 17}, {17, 17, 10, 4, 10, 17, 17},
        {17, 17, 10, 4, 4, 4, 4},     {31, 1, 2, 4, 8, 16, 31}};
    constexpr Glyph kDigits[] = {{14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},
                                 {14, 17, 1, 6, 8, 16, 31},    {30, 1, 1, 14, 1, 1, 30},
                                 {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
                                 {14, 16, 16, 30, 17, 17, 14}, {31, 1, 2, 4, 4, 8, 8},
                                 {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 1, 14}};
    if (c >= 'A' && c <= 'Z') return kLetters[c - 'A'];
    if (c >= '0' && c <= '9') return kDigits[c - '0'];
    return {};
}

}  // namespace convolab::scene
