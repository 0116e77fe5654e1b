// SPDX-License-Identifier: MIT
#include "device/memory/allocations.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <new>
#include <string>
#include <string_view>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/settings.hpp"
#include "device/base/source_line.hpp"
#include "device/base/within.hpp"
#include "device/memory/copy.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/stream.hpp"
#include "device/memory/variables.hpp"

namespace cuda_on_cpu {
namespace {

std::map<std::uintptr_t, Allocation>& allocations() {
    static auto& map = *new std::map<std::uintptr_t, Allocation>;
    return map;
}
std::size_t used_bytes = 0;  // device and managed memory

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

const char* name_of(cudaMemoryType type) {
    return type == cudaMemoryTypeHost      ? "pinned memory"
           : type == cudaMemoryTypeManaged ? "managed memory"
                                           : "device memory";
}
const char* function_of(cudaMemoryType type) {
    return type == cudaMemoryTypeHost      ? "cudaMallocHost"
           : type == cudaMemoryTypeManaged ? "cudaMallocManaged"
                                           : "cudaMalloc";
}
// The last call that has left a null pointer.
struct NullPointer {
    Frames caller;
    const char* why = nullptr;
};
constexpr const char* asked_for_nothing = " was asked for 0 bytes";
NullPointer& null_pointer() {
    static auto& last = *new NullPointer;
    return last;
}
cudaError_t out_of_memory() {
    null_pointer() = {calling_frames(), " returned cudaErrorMemoryAllocation"};
    return cudaErrorMemoryAllocation;
}
// The last 64 frees. More are not kept, because an older one's pages may now belong to something
// else.
struct Freed {
    const char* begin;
    std::size_t bytes;
    const char* function;
    Frames caller;
};
std::deque<Freed>& freed() {
    static auto& all = *new std::deque<Freed>;
    return all;
}
void note_where(const Allocation& a, const char* function, const Frames& caller) {
    freed().push_front({a.begin, a.bytes, function, caller});
    if (freed().size() > 64) freed().pop_back();
}
void forget_freed(const char* begin, std::size_t bytes) {
    std::erase_if(freed(),
                  [=](const Freed& old) { return overlap(begin, bytes, old.begin, old.bytes); });
}
void release(const Allocation& a) {
    if (a.type != cudaMemoryTypeHost) used_bytes -= a.bytes;
    delete a.memory;
}

// A pointer that was cudaMalloc's to set is there if the program has taken the address of one.
bool is_of_host(const void* pointer) {
    const std::size_t left = host_bytes_left == nullptr ? SIZE_MAX : host_bytes_left(pointer);
    const void* word = nullptr;
    if (left >= sizeof word) std::memcpy(&word, pointer, sizeof word);
    return left != SIZE_MAX && find_allocation(word).begin == nullptr;
}

Finding why_not_freed(void* pointer, const Allocation& a, bool host) {
    const std::string call = host ? "cudaFreeHost" : "cudaFree";
    if (was_freed(pointer) || a.is_freed)
        return {Kind::freed_twice, call + " of memory" + where_freed(pointer) + " before"};
    const Finding past = describe_past_end(pointer);
    if (find_near(pointer).memory != nullptr && !past.empty())
        return {Kind::freed_inside,
                call + " of a pointer that " + past.text + ", not its beginning"};
    if (a.memory == nullptr)
        return {is_of_host(pointer) ? Kind::freed_of_host : Kind::freed_unknown,
                call + " of a pointer that no allocation returned"};
    if (a.begin != pointer)
        return {Kind::freed_inside,
                call + " of a pointer into " + describe(a) + ", not to its beginning"};
    return {Kind::freed_by_another, call + " of " + describe(a) + ", which " +
                                        (host ? "cudaFree" : "cudaFreeHost") + " frees"};
}

}  // namespace

std::string describe(const Allocation& a) {
    const Variable* const variable = find_variable(a.begin);
    return (variable == nullptr ? name_of(a.type) : describe(*variable)) + " of " +
           count_text(a.bytes) +
           (a.memory != nullptr && a.memory->pitch > a.memory->row_bytes
                ? " with a pitch of " + count_text(a.memory->pitch)
                : "");
}
std::string count_text(std::size_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

Finding origin_of_null(const std::string& what) {
    const NullPointer& last = null_pointer();
    if (last.why == nullptr) return {Kind::null_pointer, what};
    const bool is_of_nothing = std::string_view(last.why) == asked_for_nothing;
    return {is_of_nothing ? Kind::asked_for_nothing : Kind::null_pointer,
            what + "; the allocation" + calling_place(last.caller) + last.why};
}

Finding wrong_free(const Allocation& a) {
    return {Kind::freed_by_another,
            "the host frees " + (a.memory == nullptr ? "memory that cudaFree freed" : describe(a)) +
                " with free or delete" + calling_line().text + ". Only " +
                (a.type == cudaMemoryTypeHost ? "cudaFreeHost" : "cudaFree") + " frees it."};
}

Finding negative_size() {
    return {Kind::negative_size,
            ": the size is negative. A product of ints that is over 2147483647 overflows."};
}

Allocation find_allocation(const void* address) {
    auto next = allocations().upper_bound(number(address));
    if (address != nullptr && next != allocations().begin()) {
        const Allocation& a = (--next)->second;
        if (number(address) - number(a.begin) < a.bytes) return a;
    }
    return {nullptr, 0, cudaMemoryTypeUnregistered, false};
}

Allocation find_near(const void* address) {
    for (const auto& [begin, a] : allocations())
        if (a.memory != nullptr && a.memory->is_near(address)) return a;
    return find_allocation(address);
}

Finding describe_past_end(const void* pointer) {
    const auto next = allocations().upper_bound(number(pointer));
    if (pointer == nullptr || next == allocations().begin()) return {};
    const Allocation& a = std::prev(next)->second;
    const std::uintptr_t end = number(a.begin) + a.bytes, page = 4096;
    unsigned char is_there = 0;
    if (a.memory == nullptr || number(pointer) < end ||
        (!a.memory->is_near(pointer) &&
         mincore(reinterpret_cast<void*>(number(pointer) / page * page), 1, &is_there) == 0))
        return {};
    const std::string past = number(pointer) == end
                                 ? "is the end of "
                                 : "is " + count_text(number(pointer) - end) + " past the end of ";
    return {Kind::pointer_past_end, past + describe(a)};
}

std::size_t bytes_left(const Allocation& a, const void* address) {
    return a.bytes - (number(address) - number(a.begin));
}

bool is_reached_otherwise(const Allocation& target) {
    const auto points_to_it = [&target](const char* begin, std::size_t bytes) {
        for (std::size_t at = 0; at + sizeof(char*) <= bytes; at += sizeof(char*)) {
            const char* word = nullptr;
            std::memcpy(&word, begin + at, sizeof word);
            if (within(word, target.begin, target.bytes)) return true;
        }
        return false;
    };
    if (target.memory != nullptr && target.memory->has_texture) return true;
    for (const auto& [begin, a] : allocations()) {
        if (a.memory == nullptr || a.bytes > 65536 || a.begin == target.begin) continue;
        open_on_demand(a.begin);
        if (a.memory->is_open() && points_to_it(a.begin, a.bytes)) return true;
    }
    return any_variable([&](const Variable& variable) {
        return points_to_it(variable.begin, std::min<std::size_t>(variable.bytes, 65536));
    });
}

void add_symbol(const void* address, std::size_t bytes) {
    char* const begin = static_cast<char*>(const_cast<void*>(address));
    allocations()[number(address)] = {begin, bytes, cudaMemoryTypeDevice, true};
}

cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const Variable* const variable = find_variable(pointer))
        report_host_write(*variable, calling_place());
    *pointer = nullptr;
    if (bytes == 0) {
        null_pointer() = {calling_frames(), asked_for_nothing};
        return cudaSuccess;
    }
    if (bytes > SIZE_MAX / 2)
        report(std::string(function_of(type)) + " is asked for " + count_text(bytes) +
               calling_line().text + negative_size());
    const bool on_device = type != cudaMemoryTypeHost;
    const auto fits = [=] { return !on_device || bytes <= total_memory_bytes() - used_bytes; };
    if (!fits()) run_all_streams();  // one of the streams may free some memory
    if (!fits()) return out_of_memory();
    try {
        auto* const memory = new GuardedBytes(bytes);
        if (type != cudaMemoryTypeDevice) memory->open();
        allocations()[number(memory->begin())] = {memory->begin(),  bytes, type,  false,
                                                  current_device(), false, memory};
        forget_freed(memory->begin(), bytes);
        if (on_device) used_bytes += bytes;
        *pointer = memory->begin();
        tell(&Observer::allocated, find_allocation(*pointer));
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
    return cudaSuccess;
}

namespace {

void free_now(const Allocation& a) {
    tell(&Observer::freed, a);
    allocations().erase(number(a.begin));
    release(a);
}

// The allocation that begins there and that this function may free; otherwise reports why not.
Allocation* freeable(void* pointer, bool host) {
    const auto found = allocations().find(number(pointer));
    if (found != allocations().end() && !found->second.registered && !found->second.is_freed &&
        (found->second.type == cudaMemoryTypeHost) == host)
        return &found->second;
    report(why_not_freed(pointer, find_allocation(pointer), host) + calling_line().text + ".");
    return nullptr;
}

}  // namespace

Finding where_freed(const void* address) {
    for (const Freed& one : freed())
        if (within(address, one.begin, one.bytes))
            return {std::string_view(one.function) == "cudaFreeAsync" ? Kind::freed_in_stream
                                                                      : Kind::freed,
                    std::string(" that ") + one.function + " freed" + calling_place(one.caller)};
    return {Kind::freed, " that was freed"};
}

cudaError_t deallocate(void* pointer, bool host) {
    if (pointer == nullptr) return cudaSuccess;
    const Allocation* const found = freeable(pointer, host);
    if (found == nullptr) return device().broken = cudaErrorInvalidValue;
    const Allocation a = *found;
    const cudaError_t error = run_all_streams();  // freeing waits for the device
    note_where(a, host ? "cudaFreeHost" : "cudaFree", calling_frames());
    free_now(a);
    return error;
}

cudaError_t deallocate_in(cudaStream_t handle, void* pointer) {
    const auto stream = find_stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaSuccess;
    if (stream->capture != nullptr) return deallocate(pointer, false);
    Allocation* const found = freeable(pointer, false);
    if (found == nullptr) return device().broken = cudaErrorInvalidValue;
    found->is_freed = true;
    return enqueue(handle, [begin = found->begin, caller = calling_frames()] {
        const Allocation a = find_allocation(begin);
        if (a.begin != begin) return cudaSuccess;
        note_where(a, "cudaFreeAsync", caller);
        free_now(a);
        return cudaSuccess;
    });
}

cudaError_t register_host(void* pointer, std::size_t bytes) {
    if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
    if (find_allocation(pointer).begin != nullptr) return cudaErrorHostMemoryAlreadyRegistered;
    allocations()[number(pointer)] = {static_cast<char*>(pointer), bytes, cudaMemoryTypeHost, true};
    return cudaSuccess;
}
cudaError_t unregister_host(void* pointer) {
    const auto found = allocations().find(number(pointer));
    if (found == allocations().end() || !found->second.registered)
        return cudaErrorHostMemoryNotRegistered;
    const cudaError_t error = run_all_streams();
    allocations().erase(found);
    return error;
}

std::size_t total_memory_bytes() {
    const long mib = setting("CUDA_ON_CPU_MEMORY_MIB", 0, 1, 1L << 40);
    if (mib > 0) return static_cast<std::size_t>(mib) << 20;
    static const auto machine = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return machine / 2;
}
std::size_t used_memory_bytes() { return used_bytes; }

void free_all_memory() {
    for (const auto& [begin, a] : allocations())
        if (!a.registered) release(a);
    allocations().clear();
    forget_symbols();
}

}  // namespace cuda_on_cpu
