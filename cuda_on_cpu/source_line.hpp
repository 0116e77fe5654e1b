// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cuda_on_cpu {

/// ", at lab.cu:12" for an address in the program's code; ", at lab.cu:12 (in view.hpp:60)" where
/// the compiler put a function of view.hpp into the kernel; nothing where the program was built
/// without -g1 or addr2line (binutils) is missing. Starts a program: for the end of a kernel.
std::string source_line(const void* code);

/// The same for the program's line that has called the emulator or, from a handler, the function of
/// a library that was interrupted: ", at lab.cu:40 (in memory.hpp:60)" where a header's function
/// lies between.
struct CallingLine {
    std::string text;
    const void* code = nullptr;  ///< behind the call
};
CallingLine calling_line();

}  // namespace cuda_on_cpu
