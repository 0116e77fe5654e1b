// SPDX-License-Identifier: MIT
// Where an address lies. `<` between pointers into different objects has no meaning in C++.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuda_on_cpu {

/// Whether the address is one of these bytes.
inline bool within(const volatile void* address, const volatile void* begin, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin) <
           bytes;  // an address before them becomes a large number
}
/// Whether one of the bytes is among the other ones.
inline bool overlap(const void* begin, std::size_t bytes, const void* other,
                    std::size_t other_bytes) {
    const auto first = reinterpret_cast<std::uintptr_t>(begin),
               second = reinterpret_cast<std::uintptr_t>(other);
    return first < second + other_bytes && second < first + bytes;
}

}  // namespace cuda_on_cpu
