// SPDX-License-Identifier: MIT
// The host's memory: what malloc has given, and kernels that follow a pointer to it. A kernel finds
// such a pointer in its arguments, in a table or in managed memory. So this class looks at each
// word that the device is given: a kernel must not touch the host's memory that it points to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "finding/finding.hpp"

namespace cuda_on_cpu::check {

/// How many bytes follow the address in the host's memory of malloc or new; SIZE_MAX if it is
/// in none that is known.
std::size_t host_bytes_left(const void* address);

/// What the host has allocated there; number 0 if nothing. Threads of kernels may allocate, too:
/// that is not the host's.
struct HostBlock {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    std::uint64_t number = 0;  ///< the how many-th it is
};
HostBlock host_block(const void* address);
/// The library that replaces new, if neither the C++ library nor the program defines it: then the
/// memory that new returns is not known.
std::string library_of_new();

class HostMemory {
  public:
    HostMemory();
    /// The device is given these bytes; `where` names them.
    void take(const char* begin, std::size_t bytes, const Finding& where);
    /// The same for a word. An argument is a pointer, whatever it points to.
    void take(std::uintptr_t word, const Finding& where, bool is_pointer);
    /// Describes whose memory this address is in, and where the device has it from; empty: in none
    /// that was given away.
    Finding owner_of(std::uintptr_t address) const;
    bool empty() const { return targets_.empty(); }
    /// A table of virtual functions: the host has made the object whose first word this is, if it
    /// has written the word.
    bool is_table(std::uintptr_t word) const;

  private:
    struct Target {
        std::uintptr_t end;
        std::uint64_t number;  // of an allocation; 0: a variable
        Finding where;
    };
    bool is_near(std::uintptr_t word) const;
    std::map<std::uintptr_t, Target> targets_;  // by their beginning
    std::uintptr_t image_begin_ = 0, image_end_ = 0, stack_begin_ = 0, stack_end_ = 0;
};

}  // namespace cuda_on_cpu::check
