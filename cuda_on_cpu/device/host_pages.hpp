// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A GPU cannot follow a pointer to the host's heap; a kernel here could. Numbers that look
// like such pointers may be given to the device: what they point to is closed while a kernel runs,
// so that a kernel that follows one is found, and one that does not goes on. What else lies in
// these pages is opened when it is touched. Without such a number this costs nothing.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

/// The device is given these bytes, or this word of them.
void note_host_pointers(const void* begin, std::size_t bytes);
void note_host_pointer(const void* word);

/// How many bytes malloc's block has that begins there; SIZE_MAX where it has as many as wanted, or
/// that is not known. What lies behind them is malloc's own, and `free` would stop the program.
std::size_t heap_bytes_left(const void* begin, std::size_t wanted);

/// While it lives, a kernel runs.
class HostPages {
  public:
    HostPages();
    ~HostPages();
    HostPages(const HostPages&) = delete;
    HostPages& operator=(const HostPages&) = delete;
};

/// For the handler of faults: opens the pages that are closed. `elsewhere`: the address is in none
/// of them; `beside`: it is not what such a pointer points to.
enum class HostPage { elsewhere, beside, given_away };
HostPage open_host_pages(const void* address);
bool is_given_away(const void* address);

/// What the emulator and the system do next may use any address.
void open_host_pages();

extern bool host_pages_are_open;  ///< since that
void close_host_pages();

}  // namespace cuda_on_cpu
