// SPDX-License-Identifier: MIT
#include "device/base/undefined.hpp"

#include <algorithm>
#include <cwchar>
#include <utility>

#include "device/base/settings.hpp"

namespace cuda_on_cpu {
namespace {

std::uint32_t undefined() {
    static const std::uint32_t words[] = {undefined_word, 0, large_word};
    static const long which = setting("CUDA_ON_CPU_ZEROS", 0, 0, 2);
    return words[which];
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
    const std::uint32_t value = undefined();
    const auto [first, last] = aligned(begin, end);
    for (char* at = begin; at < std::min(first, end); ++at) *at = static_cast<char>(value);
    if (first < last) {
        // Between two blocks all shared memory is filled: the C library does it fastest.
        static_assert(sizeof(wchar_t) == sizeof value);
        std::wmemset(reinterpret_cast<wchar_t*>(first), static_cast<wchar_t>(value),
                     static_cast<std::size_t>(last - first) / sizeof value);
        for (char* at = last; at < end; ++at) *at = static_cast<char>(value);
    }
}

}  // namespace cuda_on_cpu
