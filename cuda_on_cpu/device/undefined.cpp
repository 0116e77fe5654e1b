// SPDX-License-Identifier: MIT
#include "device/undefined.hpp"

#include <algorithm>
#include <cstring>

#include "device/settings.hpp"

namespace cuda_on_cpu {
namespace {

std::uint32_t word() {
    static const bool zeros = setting("CUDA_ON_CPU_ZEROS", 0, 0, 1) == 1;
    return zeros ? 0 : undefined_word;
}

// The whole aligned words between the two.
template <class Byte>
std::pair<Byte*, Byte*> aligned(Byte* begin, Byte* end) {
    const auto number = [](Byte* at) { return reinterpret_cast<std::uintptr_t>(at); };
    return {begin + (4 - number(begin) % 4) % 4, end - number(end) % 4};
}

}  // namespace

void fill_undefined(char* begin, char* end) {
    if (begin >= end) return;
    const std::uint32_t value = word();
    const auto [first, last] = aligned(begin, end);
    for (char* at = begin; at < std::min(first, end); ++at) *at = static_cast<char>(value);
    if (first < last) {
        std::fill(reinterpret_cast<std::uint32_t*>(first), reinterpret_cast<std::uint32_t*>(last),
                  value);
        for (char* at = last; at < end; ++at) *at = static_cast<char>(value);
    }
}

}  // namespace cuda_on_cpu
