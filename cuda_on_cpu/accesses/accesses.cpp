// SPDX-License-Identifier: MIT
// What -fsanitize=thread makes a program call before each of its accesses. ThreadSanitizer's
// library would look for races of CPU threads; this hands the accesses to the observer.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "atomics.hpp"
#include "device/base/observer.hpp"
#include "device/base/within.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/stream.hpp"
#include "device/threads/block.hpp"
#include "keywords.hpp"

namespace cuda_on_cpu {
namespace {

// threadIdx and its like are variables; on a GPU they are registers.
bool is_built_in(const char* address) {
    const auto is_in = [address](const auto& variable) {
        return within(address, &variable, sizeof variable);
    };
    return is_in(threadIdx) || is_in(blockIdx) || is_in(blockDim) || is_in(gridDim);
}

// What the host reads through a pointer to volatile, a kernel may change at any time.
[[maybe_unused]] Access::Kind volatile_read() {
    return thread_at_work() == nullptr ? Access::Kind::atomic_read : Access::Kind::read;
}

}  // namespace

// Hands an access to the observer.
void record(const void* address, std::size_t bytes, Access::Kind kind, const void* code,
            bool is_flag = false) {
    last_access = code;
    if ((observer == nullptr && turns_left == 0) || bytes == 0) return;
    const char* const at = static_cast<const char*>(address);
    const Thread* const thread = thread_at_work();
    if (observer == nullptr) {
        if (thread == nullptr || kind == Access::Kind::read || is_in_atomic != 0 ||
            running_block().is_on_stack(at))
            return;
        --turns_left;
        return let_others_run();
    }
    if (thread == nullptr) {
        observer->host_access({at, bytes, kind, code});
        // The host may wait in a loop for the device.
        static unsigned reads = 0;
        constexpr unsigned many = 1U << 12;
        if (kind == Access::Kind::atomic_read && waiting_tasks > 0 && ++reads % many == 0 &&
            find_allocation(at).memory != nullptr)
            run_by_themselves();
    } else if (!running_block().is_on_stack(at) && !is_built_in(at) &&
               running_block().is_in_kernel()) {
        // It may wait in a loop for another thread. Between the two halves of an atomic function
        // there is no such access. Only its own accesses count, because `count` needs the lanes of
        // a warp one after another. What the others write is there before its access.
        static const Thread* last = nullptr;
        static unsigned accesses = 0;
        constexpr unsigned many = 1U << 16;
        if (thread != last) accesses = 0;
        last = thread;
        if (kind <= Access::Kind::write && ++accesses % many == 0) let_others_run();
        observer->access(*thread, {at, bytes, kind, code, is_flag});
    }
}

}  // namespace cuda_on_cpu

using cuda_on_cpu::Access;
using cuda_on_cpu::record;
using cuda_on_cpu::volatile_read;

extern "C" {

void __tsan_init() {
    if (cuda_on_cpu::observer == nullptr) cuda_on_cpu::observer = cuda_on_cpu::create_observer();
}

void __sanitizer_cov_trace_pc() {
    const cuda_on_cpu::Thread* const thread = cuda_on_cpu::thread_at_work();
    if (thread != nullptr && cuda_on_cpu::observer != nullptr &&
        cuda_on_cpu::running_block().is_in_kernel())
        cuda_on_cpu::observer->basic_block(*thread, __builtin_return_address(0));
}

#define ACCESS(name, bytes, kind, is_volatile) \
    void name(const void* a) { record(a, bytes, kind, __builtin_return_address(0), is_volatile); }
#define ACCESSES_OF(bytes)                                                      \
    ACCESS(__tsan_read##bytes, bytes, Access::Kind::read, false)                \
    ACCESS(__tsan_write##bytes, bytes, Access::Kind::write, false)              \
    ACCESS(__tsan_unaligned_read##bytes, bytes, Access::Kind::read, false)      \
    ACCESS(__tsan_unaligned_write##bytes, bytes, Access::Kind::write, false)    \
    ACCESS(__tsan_volatile_read##bytes, bytes, volatile_read(), true)           \
    ACCESS(__tsan_volatile_write##bytes, bytes, Access::Kind::write, true)      \
    ACCESS(__tsan_unaligned_volatile_read##bytes, bytes, volatile_read(), true) \
    ACCESS(__tsan_unaligned_volatile_write##bytes, bytes, Access::Kind::write, true)
ACCESSES_OF(1)
ACCESSES_OF(2)
ACCESSES_OF(4)
ACCESSES_OF(8)
ACCESSES_OF(16)

void __tsan_read_range(const void* a, unsigned long bytes) {
    record(a, bytes, Access::Kind::read, __builtin_return_address(0));
}
void __tsan_write_range(const void* a, unsigned long bytes) {
    record(a, bytes, Access::Kind::write, __builtin_return_address(0));
}
// clang calls them so, g++ as include/checked_calls.hpp says.
#define BLOCK_CALLS(memcpy_name, memmove_name, memset_name)                   \
    void* memcpy_name(void* to, const void* from, unsigned long bytes) {      \
        record(from, bytes, Access::Kind::read, __builtin_return_address(0)); \
        record(to, bytes, Access::Kind::write, __builtin_return_address(0));  \
        return std::memcpy(to, from, bytes);                                  \
    }                                                                         \
    void* memmove_name(void* to, const void* from, unsigned long bytes) {     \
        record(from, bytes, Access::Kind::read, __builtin_return_address(0)); \
        record(to, bytes, Access::Kind::write, __builtin_return_address(0));  \
        return std::memmove(to, from, bytes);                                 \
    }                                                                         \
    void* memset_name(void* to, int byte, unsigned long bytes) {              \
        record(to, bytes, Access::Kind::write, __builtin_return_address(0));  \
        return std::memset(to, byte, bytes);                                  \
    }
BLOCK_CALLS(__tsan_memcpy, __tsan_memmove, __tsan_memset)
BLOCK_CALLS(cuda_on_cpu_memcpy, cuda_on_cpu_memmove, cuda_on_cpu_memset)

std::size_t cuda_on_cpu_fwrite(const void* from, std::size_t bytes, std::size_t count,
                               std::FILE* file) {
    record(from, bytes * count, Access::Kind::read, __builtin_return_address(0));
    return std::fwrite(from, bytes, count, file);
}

// What nobody asks for: calls, and who writes a pointer to virtual functions.
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void** a) {
    record(a, sizeof *a, Access::Kind::read, __builtin_return_address(0));
}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}

// Atomic accesses become calls that do them. The emulator's atomic functions (include/atomics.hpp) load
// and store, atomicCAS compares; the rest is for the host's std::atomic.
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
    void __tsan_atomic##bits##_store(volatile T* a, T value, int order) {            \
        record(const_cast<T*>(a), sizeof(T), Access::Kind::atomic_write, HERE,       \
               order == cuda_on_cpu::may_repeat);                                    \
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
