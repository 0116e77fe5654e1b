// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "finding/finding.hpp"

namespace cuda_on_cpu {

/// Whether the code belongs to the program, not to a library.
bool is_in_program(const void* code);

/// ", at lab.cu:12" for an address in the program's code, or ", at lab.cu:12 (in view.hpp:58)" if
/// the compiler inlined a function of view.hpp into the kernel. Empty if the program was built
/// without -g1, or if addr2line (binutils) is missing. Starts a process, but only once for an
/// address.
Finding source_line(const void* code);

/// "lab.cu:12" for the innermost function there that is neither the emulator's nor the system's;
/// empty if there is none.
std::string users_line(const void* code);

/// The same for the program's line that has called the emulator, or in a signal handler, for the
/// line that called the interrupted library function. ", at lab.cu:40 (in memory.hpp:58)" if the
/// call goes through a header's function.
struct CallingLine {
    Finding text;
    const void* code = nullptr;  ///< after the call
};
CallingLine calling_line();

/// "lab.cu:12" for the innermost of the calling lines that is neither the emulator's nor the
/// system's; empty if there is none.
std::string users_calling_line();

/// ", at lab.cu:12" for the second of the program's lines: the call of the function that called the
/// emulator.
Finding line_behind_caller();

/// "lab.cu:12" of the outermost function of the program at each address: the kernel's line even if
/// a function was inlined there.
std::vector<std::string> outer_lines(const std::vector<const void*>& code);

/// The call stack, stored for later.
struct Frames {
    void* code[24];
    int count = 0;
};
Frames calling_frames();
CallingLine calling_line(const Frames& frames);
/// " at lab.cu:12", or empty.
Finding calling_place(const Frames& frames = calling_frames());

}  // namespace cuda_on_cpu
