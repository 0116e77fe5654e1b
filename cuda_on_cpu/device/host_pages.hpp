// SPDX-License-Identifier: MIT
// A GPU cannot follow a pointer to the host's heap, but a kernel here could. If a number that looks
// like such a pointer is given to the device, the memory it points to is closed while a kernel
// runs. A kernel that follows it is then found; one that does not continues. Other data on these
// pages is opened at the first access. Without such numbers this costs nothing.
#pragma once

#include <cstddef>

namespace cuda_on_cpu {

/// Notes the pointers in these bytes, which may also be other data, or this pointer. The device is
/// given them.
void note_host_pointers(const void* begin, std::size_t bytes);
void note_host_pointer(const void* word);

/// How many bytes the malloc block has that begins there; SIZE_MAX if it has as many as `wanted`,
/// or if the size is unknown. The bytes after the block belong to malloc, and `free` would stop the
/// program if a copy overwrote them.
std::size_t heap_bytes_left(const void* begin, std::size_t wanted);

/// A kernel runs while this object lives.
class HostPages {
  public:
    HostPages();
    ~HostPages();
    HostPages(const HostPages&) = delete;
    HostPages& operator=(const HostPages&) = delete;
};

/// For the fault handler: opens the closed pages. `elsewhere`: the address is in none of them;
/// `beside`: it is on such a page, but no given pointer points to it.
enum class HostPage { elsewhere, beside, given_away };
HostPage open_host_pages(const void* address);
bool is_given_away(const void* address);

/// Opens them because the emulator or the system may use any address next.
void open_host_pages();

extern bool host_pages_are_open;  ///< since then
void close_host_pages();

}  // namespace cuda_on_cpu
