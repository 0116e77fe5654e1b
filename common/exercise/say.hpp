// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace convolab::exercise {

/// With MPI one rank speaks for all, and each for its own mistakes.
inline bool speaks = true;

/// A line of the judge: to stdout, and for tools/exercises into a file in which nothing that the
/// answer prints is taken for it.
inline void say(const std::string& line) {
    if (!speaks) return;
    std::puts(line.c_str());
    std::fflush(stdout);
    // `check` runs the program in other orders, too, to find what the usual one hides.
    const char* const order = std::getenv("CUDA_ON_CPU_ORDER");
    if (order && std::string_view(order) != "forward") return;
    const char* const path = std::getenv("CONVOLAB_JUDGED");
    std::FILE* const file = path ? std::fopen(path, "a") : nullptr;
    if (!file) return;
    std::fputs((line + '\n').c_str(), file);
    std::fclose(file);
}

}  // namespace convolab::exercise
