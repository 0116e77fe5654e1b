// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "arguments.hpp"

#include <cstdint>
#include <cstdio>

#include "device.hpp"
#include "memory.hpp"

namespace cuda_on_cpu {
namespace {

bool is_known(const void* address) {
    const char* const end = static_cast<const char*>(address);  // of an allocation: as good
    return find_allocation(address).type != cudaMemoryTypeUnregistered ||
           find_allocation(end - 1).type != cudaMemoryTypeUnregistered;
}

bool is_on_another(const void* address, int device) {
    const Allocation a = find_allocation(address);
    return a.type == cudaMemoryTypeDevice && !a.registered && !uses_memory_of(device, a.device);
}

// In one of the terabytes where this program has its variables, its heap or its stack: few numbers
// are, and the list of what is mapped takes long to read.
bool may_be_host(std::uintptr_t address) {
    const auto terabyte = [](std::uintptr_t place) { return place >> 40; };
    static const auto& on_heap = *new char;
    static const char variable = 0;
    const char on_stack = 0;
    for (const char* const place : {&on_heap, &variable, &on_stack})
        if (terabyte(address) == terabyte(reinterpret_cast<std::uintptr_t>(place)))
            return address >= 65536;
    return false;
}

// Functions and texts are not writable; a kernel does not read them.
bool is_host_data(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (!may_be_host(address)) return false;
    std::FILE* const maps = std::fopen("/proc/self/maps", "r");
    if (maps == nullptr) return false;
    bool found = false;
    char line[512];
    while (!found && std::fgets(line, sizeof line, maps) != nullptr) {
        unsigned long begin = 0, end = 0;
        char access[8] = {};
        found = std::sscanf(line, "%lx-%lx %7s", &begin, &end, access) == 3 && address >= begin &&
                address < end && access[1] == 'w';
    }
    std::fclose(maps);
    return found;
}

}  // namespace

std::string wrong_address(const std::vector<Address>& addresses, int device) {
    for (const auto& [address, argument, offset, is_writable, is_volatile] : addresses) {
        if (address == nullptr) continue;
        const std::string which = "argument " + std::to_string(argument);
        if (offset >= 0) {
            if (!is_known(address) && is_host_data(address))
                return which + " contains, at byte " + std::to_string(offset) +
                       ", a pointer to the host's memory";
            continue;
        }
        if (is_on_another(address, device))
            return which + " is a pointer to memory of device " +
                   std::to_string(find_allocation(address).device) +
                   ", but the kernel runs on device " + std::to_string(device);
        if (!is_known(address)) return which + " is a pointer, but not to device or pinned memory";
    }
    return {};
}

}  // namespace cuda_on_cpu
