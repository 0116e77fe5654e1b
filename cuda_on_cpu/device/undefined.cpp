// SPDX-License-Identifier: MIT
#include "device/undefined.hpp"

#include <algorithm>
#include <cstring>

#include "device/sanitizers.hpp"
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
    VALGRIND_MAKE_MEM_UNDEFINED(begin, static_cast<std::size_t>(end - begin));
}

std::size_t undefined_at_end(const char* begin, const char* end) {
    if (word() == 0) return 0;
    const auto [first, last] = aligned(begin, end);
    if (first >= last || std::memcmp(last, &undefined_word, static_cast<std::size_t>(end - last)))
        return 0;
    const char* at = last;
    while (at > first && std::memcmp(at - 4, &undefined_word, 4) == 0) at -= 4;
    return at == last ? 0 : static_cast<std::size_t>(end - at);
}

bool is_undefined_sum(const char* begin, const char* end, std::uint32_t start) {
    constexpr std::uint32_t little = 1U << 18;
    const auto [first, last] = aligned(begin, end);
    if (word() == 0 || first != begin || last != end || first == last) return false;
    for (const char* at = first; at < last; at += 4) {
        std::uint32_t value = 0;
        std::memcpy(&value, at, 4);
        if (value - start * undefined_word >= little) return false;
    }
    return true;
}

}  // namespace cuda_on_cpu
