// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace cuda_on_cpu {

/// ", at lab.cu:12" for an address in the program's code; ", at lab.cu:12 (in view.hpp:60)" where
/// the compiler put a function of view.hpp into the kernel; nothing where the program was built
/// without -g1 or addr2line (binutils) is missing. Starts a program, once for an address.
std::string source_line(const void* code);

/// "lab.cu:12" for the innermost function there that is neither the emulator's nor the system's;
/// empty where there is none.
std::string users_line(const void* code);

/// The same for the program's line that has called the emulator or, from a handler, the function of
/// a library that was interrupted: ", at lab.cu:40 (in memory.hpp:60)" where a header's function
/// lies between.
struct CallingLine {
    std::string text;
    const void* code = nullptr;  ///< behind the call
};
CallingLine calling_line();

/// ", at lab.cu:12" for the second of the program's lines: where the function that has called the
/// emulator is called itself.
std::string line_behind_caller();

/// The function there; where the compiler put one into another, the outermost.
std::string function_at(const void* code);

/// For each address "lab.cu:12" of the program's outermost function there: of a kernel, also where
/// the compiler put a function into it.
std::vector<std::string> outer_lines(const std::vector<const void*>& code);

/// For later: who calls.
struct Frames {
    void* code[24];
    int count = 0;
};
Frames calling_frames();
CallingLine calling_line(const Frames& frames);
/// " at lab.cu:12", or nothing.
std::string calling_place(const Frames& frames = calling_frames());

}  // namespace cuda_on_cpu
