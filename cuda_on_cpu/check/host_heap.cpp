// SPDX-License-Identifier: MIT
// What malloc and its relatives, and so new, have given the program: for a copy past its end.
// glibc lets a program replace these functions; they do their work by glibc's own.
#include "host_heap.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <new>

#include "device/mistakes/observer.hpp"
#include "device/mistakes/report.hpp"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);
}

namespace cuda_on_cpu::check {
namespace {

// For the list of them, which must not come to us.
template <class T>
struct Plain {
    using value_type = T;
    Plain() = default;
    template <class U>
    explicit Plain(const Plain<U>&) {}
    T* allocate(std::size_t count) {
        void* const memory = __libc_malloc(count * sizeof(T));
        if (memory == nullptr) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { __libc_free(memory); }
    bool operator==(const Plain&) const { return true; }
};

struct Heap {
    std::mutex mutex;
    struct Block {
        std::size_t bytes;
        std::uint64_t number;
    };
    std::map<std::uintptr_t, Block, std::less<>, Plain<std::pair<const std::uintptr_t, Block>>>
        blocks;  // by the beginning
    std::uint64_t allocated = 0;
};
Heap& heap() {
    alignas(Heap) static char memory[sizeof(Heap)];
    static Heap* const all = new (memory) Heap;  // outlives the program's own static objects
    return *all;
}

void* added(void* memory, std::size_t bytes) {
    if (memory == nullptr) return nullptr;
    const std::lock_guard lock(heap().mutex);
    const std::uint64_t number = thread_at_work() == nullptr ? ++heap().allocated : 0;
    heap().blocks[reinterpret_cast<std::uintptr_t>(memory)] = {bytes, number};
    return memory;
}
/// False if these functions have not given it.
bool removed(void* memory) {
    const std::lock_guard lock(heap().mutex);
    return heap().blocks.erase(reinterpret_cast<std::uintptr_t>(memory)) == 1;
}

// If it is memory of CUDA's, free would end the program with words that do not say so.
void stop_wrong_free(const void* memory) {
    const Allocation a = find_allocation(memory);
    if (a.begin != memory || a.memory == nullptr) return;
    report(wrong_free(a));
    std::abort();
}

}  // namespace

HostBlock host_block(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::lock_guard lock(heap().mutex);
    auto next = heap().blocks.upper_bound(at);
    if (next == heap().blocks.begin()) return {};
    const auto& [begin, block] = *--next;
    return at - begin < block.bytes ? HostBlock{begin, block.bytes, block.number} : HostBlock{};
}

std::size_t host_bytes_left(const void* address) {
    const HostBlock block = host_block(address);
    return block.bytes == 0
               ? SIZE_MAX
               : block.bytes - (reinterpret_cast<std::uintptr_t>(address) - block.begin);
}

}  // namespace cuda_on_cpu::check

using namespace cuda_on_cpu::check;

extern "C" {
void* malloc(std::size_t bytes) { return added(__libc_malloc(bytes), bytes); }
void* calloc(std::size_t count, std::size_t bytes) {
    return added(__libc_calloc(count, bytes), count * bytes);
}
void* realloc(void* old, std::size_t bytes) {
    removed(old);
    return added(__libc_realloc(old, bytes), bytes);
}
void free(void* memory) {
    if (memory != nullptr && !removed(memory)) stop_wrong_free(memory);
    __libc_free(memory);
}
}
