// SPDX-License-Identifier: MIT
// What malloc and its relatives, and so new, have given the program is known by replacing them:
// glibc lets a program replace these functions; they do their work by glibc's own.
#include "host_memory.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <new>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/pending_work.hpp"
#include "device/memory/variables.hpp"
#include "device/threads/block.hpp"
#include "names.hpp"

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
    report(Weight::fatal, wrong_free(a));
    std::abort();
}

// What a copy that waits in a stream is still to use.
void tell_freed_early(const void* memory) {
    const std::unique_lock lock(device().mutex, std::try_to_lock);
    const HostBlock block = lock.owns_lock() ? host_block(memory) : HostBlock{};
    const PendingWork* const user =
        block.bytes == 0 ? nullptr : PendingWork::user_of(memory, block.bytes, true);
    if (user == nullptr || user->is_reported) return;
    user->is_reported = true;
    report({Kind::freed_before_copy, "the host frees memory" + calling_place() + " before " +
                                         user->name() + ", which uses it, has run."});
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

std::string library_of_new() {
    Dl_info of_new{}, of_program{};
    if (dladdr(dlsym(RTLD_DEFAULT, "_Znwm"), &of_new) == 0 ||
        dladdr(reinterpret_cast<void*>(&host_block), &of_program) == 0 ||
        of_new.dli_fbase == of_program.dli_fbase)
        return {};
    const std::string path = of_new.dli_fname, name = path.substr(path.rfind('/') + 1);
    return name.starts_with("libstdc++") || name.starts_with("libc++") ? "" : name;
}

std::size_t host_bytes_left(const void* address) {
    const HostBlock block = host_block(address);
    return block.bytes == 0
               ? SIZE_MAX
               : block.bytes - (reinterpret_cast<std::uintptr_t>(address) - block.begin);
}

namespace {

// How far behind a pointer to a variable, whose size is not known, the variable may reach.
constexpr std::uintptr_t reach = 4096;

struct Image {
    std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
};
// The first module is the program itself.
int take_image(dl_phdr_info* info, std::size_t, void* result) {
    Image& image = *static_cast<Image*>(result);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        image.begin = std::min<std::uintptr_t>(image.begin, info->dlpi_addr + header.p_vaddr);
        image.end =
            std::max<std::uintptr_t>(image.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
    }
    return 1;
}

}  // namespace

HostMemory::HostMemory() {
    Image image;
    dl_iterate_phdr(take_image, &image);
    image_begin_ = image.begin;
    image_end_ = image.end;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* stack = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &stack, &bytes);
    pthread_attr_destroy(&attributes);
    stack_begin_ = reinterpret_cast<std::uintptr_t>(stack);
    stack_end_ = stack_begin_ + bytes;
}

// In one of the terabytes where the host's memory is: few numbers are.
bool HostMemory::is_near(std::uintptr_t word) const {
    return word >> 40 == image_begin_ >> 40 || word >> 40 == stack_end_ >> 40;
}

void HostMemory::take(const char* begin, std::size_t bytes, const Finding& where) {
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + 7) & ~std::uintptr_t{7};
    const auto last = reinterpret_cast<std::uintptr_t>(begin) + bytes;
    for (std::uintptr_t at = first; at + sizeof(void*) <= last; at += sizeof(void*)) {
        std::uintptr_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
        if (is_near(word))
            take(word,
                 "byte " + std::to_string(at - reinterpret_cast<std::uintptr_t>(begin)) + where,
                 false);
    }
}

void HostMemory::take(std::uintptr_t word, const Finding& where, bool is_pointer) {
    const auto* const address = reinterpret_cast<const char*>(word);
    if ((!is_pointer && !is_near(word)) || find_allocation(address - 1).begin != nullptr ||
        find_allocation(address).begin != nullptr || word < reach || was_freed(address) ||
        is_managed_variable(address))
        return;
    if (const HostBlock block = host_block(address); block.number != 0)
        targets_[block.begin] = {block.begin + block.bytes, block.number, where};
    else if (word >= stack_begin_ && word < stack_end_)
        targets_[word] = {std::min(word + reach, stack_end_), 0, where};
    else if (word >= image_begin_ && word < image_end_ && is_static(address, 1) &&
             find_variable(address) == nullptr)
        targets_[word] = {word + variable_bytes(word), 0, where};
    else if (is_pointer)
        targets_[word] = {word + reach, 0, where};
}

Finding HostMemory::owner_of(std::uintptr_t address) const {
    const auto next = targets_.upper_bound(address);
    if (next == targets_.begin()) return {};
    const auto& [begin, target] = *std::prev(next);
    if (address >= target.end) return {};
    const Finding given = ", to which " + target.where + " points";
    if (target.number == 0) {
        Finding variable(Kind::host_memory, "memory of the host" + given);
        variable.take_advice();
        if (target.where.text.find(" of argument ") != std::string::npos)  // perhaps of a lambda
            variable.remedy += " In a lambda, [=] takes values, [&] such pointers.";
        return variable;
    }
    // It may have been freed since, and given to somebody else.
    const HostBlock block = host_block(reinterpret_cast<const void*>(address));
    if (block.number != target.number) return {};
    return {Kind::host_memory, "memory of the host, of " + count_text(block.bytes) + given};
}

bool HostMemory::is_table(std::uintptr_t word) const {
    return word >= image_begin_ && word < image_end_ && is_virtual_table(word);
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
    if (cuda_on_cpu::PendingWork::any()) tell_freed_early(memory);
    if (memory != nullptr && !removed(memory)) stop_wrong_free(memory);
    __libc_free(memory);
}
}
