// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What the emulator tells ASan, TSan and Valgrind. The functions are weak: they are there when the
// program is built with the sanitizer, whatever the emulator itself is built with.
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
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fibre);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fibre, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
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

/// Everything before a tsan_release(x) happens before everything after a later tsan_acquire(x).
inline void tsan_release(void* address) {
    if (has_tsan()) __tsan_release(address);
}
inline void tsan_acquire(void* address) {
    if (has_tsan()) __tsan_acquire(address);
}
/// From here on TSan sees another thread. Orders nothing.
inline void tsan_switch(void* context) {
    constexpr unsigned no_sync = 1;
    if (has_tsan()) __tsan_switch_to_fiber(context, no_sync);
}

}  // namespace cuda_on_cpu
