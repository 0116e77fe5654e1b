// SPDX-License-Identifier: MIT
// The calls to ASan, TSan and Valgrind. The functions are weak: they exist if the program is built
// with the sanitizer, however the emulator itself is built.
#pragma once

#include <cstddef>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(address, bytes) static_cast<void>(address)
#define VALGRIND_STACK_REGISTER(start, end) static_cast<void>(start)
#endif

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
[[gnu::weak]] void __lsan_register_root_region(const void* begin, std::size_t bytes);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fibre);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fibre, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __tsan_java_alloc(unsigned long address, unsigned long bytes);
[[gnu::weak]] void __tsan_java_free(unsigned long address, unsigned long bytes);
[[gnu::weak]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace cuda_on_cpu {

inline bool has_asan() { return &__sanitizer_start_switch_fiber != nullptr; }
inline bool has_tsan() { return &__tsan_create_fiber != nullptr; }

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

/// Everything before a tsan_release(x) happens before everything after a later tsan_acquire(x).
inline void tsan_release(void* address) {
    if (has_tsan()) __tsan_release(address);
}
inline void tsan_acquire(void* address) {
    if (has_tsan()) __tsan_acquire(address);
}
/// From here on TSan sees another thread; the switch orders nothing.
inline void tsan_switch(void* context) {
    constexpr unsigned no_sync = 1;
    if (has_tsan()) __tsan_switch_to_fiber(context, no_sync);
}
/// From here on TSan sees no accesses of this thread, until as many ends.
inline void tsan_ignore_begin() {
    if (!has_tsan()) return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
inline void tsan_ignore_end() {
    if (!has_tsan()) return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
/// Tells TSan that this memory is new and unused. Only its functions for Java do just that.
inline void tsan_new_memory(const char* begin, const char* end) {
    if (!has_tsan() || begin >= end) return;
    const unsigned long first = reinterpret_cast<unsigned long>(begin) / 8 * 8;
    const unsigned long bytes = (reinterpret_cast<unsigned long>(end) - first + 7) / 8 * 8;
    __tsan_java_free(first, bytes);
    __tsan_java_alloc(first, bytes);
}

}  // namespace cuda_on_cpu
