// SPDX-License-Identifier: MIT
// Closes pinned and managed memory that waiting work will write, as far as it fills whole pages. If
// the host uses it too early, the emulator reports the host's line, and the host continues.
#pragma once

namespace cuda_on_cpu {

class Unfinished;

/// Closes what this work will write, or what all waiting work will write.
void close_unfinished(const Unfinished& work);
void close_unfinished();
/// Opens all again: work is about to run, or memory to be freed.
void open_unfinished();
/// For the fault handler: whether this caused the fault. It then reports the access and opens the
/// memory.
bool is_too_early(const void* address, bool writes, const void* code);

}  // namespace cuda_on_cpu
