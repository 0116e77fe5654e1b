// SPDX-License-Identifier: MIT
// What -fsanitize=thread makes of atomic accesses: calls that do them. The emulator's atomic
// functions (include/atomics.hpp) load and store, atomicCAS compares; the rest is for the host's
// std::atomic.
#include <cstdint>

#include "record.hpp"

using cuda_on_cpu::Access;
using cuda_on_cpu::record;

#define HERE __builtin_return_address(0)
// The order that the program asks for is at most this.
#define ORDER __ATOMIC_SEQ_CST

#define UPDATE(bits, T, name)                                                   \
    T __tsan_atomic##bits##_##name(volatile T* a, T value, int) {               \
        record(const_cast<T*>(a), sizeof(T), Access::Kind::atomic_write, HERE); \
        return __atomic_##name(a, value, ORDER);                                \
    }
#define EXCHANGE_IF(bits, T, name, weak)                                                        \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T* a, T* expected, T value, int, \
                                                      int) {                                    \
        record(const_cast<T*>(a), sizeof(T), Access::Kind::atomic_read, HERE);                  \
        record(const_cast<T*>(a), sizeof(T), Access::Kind::atomic_compare, HERE);               \
        return __atomic_compare_exchange_n(a, expected, value, weak, ORDER, ORDER) ? 1 : 0;     \
    }
#define ATOMICS_OF(bits, T)                                                          \
    T __tsan_atomic##bits##_load(const volatile T* a, int) {                         \
        record(const_cast<const T*>(a), sizeof(T), Access::Kind::atomic_read, HERE); \
        return __atomic_load_n(a, ORDER);                                            \
    }                                                                                \
    void __tsan_atomic##bits##_store(volatile T* a, T value, int) {                  \
        record(const_cast<T*>(a), sizeof(T), Access::Kind::atomic_write, HERE);      \
        __atomic_store_n(a, value, ORDER);                                           \
    }                                                                                \
    T __tsan_atomic##bits##_exchange(volatile T* a, T value, int) {                  \
        record(const_cast<T*>(a), sizeof(T), Access::Kind::atomic_write, HERE);      \
        return __atomic_exchange_n(a, value, ORDER);                                 \
    }                                                                                \
    UPDATE(bits, T, fetch_add)                                                       \
    UPDATE(bits, T, fetch_sub)                                                       \
    UPDATE(bits, T, fetch_and)                                                       \
    UPDATE(bits, T, fetch_or)                                                        \
    UPDATE(bits, T, fetch_xor)                                                       \
    UPDATE(bits, T, fetch_nand)                                                      \
    EXCHANGE_IF(bits, T, strong, false)                                              \
    EXCHANGE_IF(bits, T, weak, true)

extern "C" {
ATOMICS_OF(8, std::uint8_t)
ATOMICS_OF(16, std::uint16_t)
ATOMICS_OF(32, std::uint32_t)
ATOMICS_OF(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(ORDER); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(ORDER); }
}
