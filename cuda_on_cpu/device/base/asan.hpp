// SPDX-License-Identifier: MIT
// The calls to AddressSanitizer. The functions are weak: they exist if the program is built with
// it, however the emulator itself is built.
#pragma once

#include <cstddef>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** save, const void* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* saved, const void** old_bottom,
                                                   std::size_t* old_bytes);
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* address, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);
[[gnu::weak]] void* __asan_region_is_poisoned(void* begin, std::size_t bytes);
[[gnu::weak]] void __asan_report_error(void* pc, void* bp, void* sp, void* address, int is_write,
                                       std::size_t bytes);
}

namespace cuda_on_cpu {

inline bool has_asan() { return &__sanitizer_start_switch_fiber != nullptr; }

inline void poison(const void* address, std::size_t bytes) {
    if (&__asan_poison_memory_region != nullptr) __asan_poison_memory_region(address, bytes);
}
inline void unpoison(const void* address, std::size_t bytes) {
    if (&__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(address, bytes);
}

/// The first byte that the program must not use, or nullptr if ASan knows none.
inline const char* first_poisoned(const char* begin, std::size_t bytes) {
    if (&__asan_region_is_poisoned == nullptr) return nullptr;
    return static_cast<const char*>(__asan_region_is_poisoned(const_cast<char*>(begin), bytes));
}
/// Makes ASan report an access as if `code` had made it.
inline void asan_report(const void* code, const void* address, bool is_write, std::size_t bytes) {
    void* const frame = __builtin_frame_address(0);
    __asan_report_error(const_cast<void*>(code), frame, frame, const_cast<void*>(address),
                        is_write ? 1 : 0, bytes);
}

}  // namespace cuda_on_cpu
