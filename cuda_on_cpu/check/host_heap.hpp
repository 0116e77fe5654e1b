// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace cuda_on_cpu::check
