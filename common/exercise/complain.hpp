// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace convolab::exercise {

/// Where tools/exercises looks for it; "" while the judge measures.
inline std::string complaints;

/// Writes why the answer is wrong and ends its program.
[[noreturn]] inline void complain(const std::string& sentence) {
    if (std::FILE* const file = std::fopen(complaints.c_str(), "a")) {
        std::fprintf(file, "wrong: %s\n", sentence.c_str());
        std::fclose(file);
    }
    std::_Exit(1);
}

}  // namespace convolab::exercise
