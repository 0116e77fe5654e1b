// SPDX-License-Identifier: MIT
#include "device/pattern.hpp"

#include <array>
#include <cstring>

namespace cuda_on_cpu {
namespace {

constexpr unsigned char pattern = 0xcb;

bool is_whole(const char* begin, const char* end) {
    static const auto whole = [] {
        std::array<unsigned char, longest_pattern> bytes;
        bytes.fill(pattern);
        return bytes;
    }();
    return std::memcmp(begin, whole.data(), static_cast<std::size_t>(end - begin)) == 0;
}
bool is_pattern(char byte) { return static_cast<unsigned char>(byte) == pattern; }

}  // namespace

void fill_pattern(char* begin, char* end) {
    std::memset(begin, pattern, static_cast<std::size_t>(end - begin));
}

std::size_t written_from_begin(const char* begin, const char* end) {
    if (is_whole(begin, end)) return 0;
    while (is_pattern(end[-1])) --end;
    return static_cast<std::size_t>(end - begin);
}

std::size_t written_from_end(const char* begin, const char* end) {
    if (is_whole(begin, end)) return 0;
    while (is_pattern(*begin)) ++begin;
    return static_cast<std::size_t>(end - begin);
}

}  // namespace cuda_on_cpu
