// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "device_access.hpp"

#include <cstdint>
#include <cstdio>

#include "guarded_bytes.hpp"
#include "memory.hpp"
#include "shared_memory.hpp"

namespace cuda_on_cpu {
namespace {

GuardedBytes* first_open = nullptr;  // a list: the handler of a fault cannot allocate
bool any_access = false;
int device_at_work = DeviceAccess::any_device;

bool may_open(const Allocation& a) {
    return a.type == cudaMemoryTypeDevice && a.memory != nullptr &&
           (device_at_work == DeviceAccess::any_device || device_at_work == a.device);
}

void open(const Allocation& a) {
    if (!may_open(a) || a.memory->is_open()) return;
    a.memory->open();
    a.memory->next_open = first_open;
    first_open = a.memory;
}

}  // namespace

DeviceAccess::DeviceAccess(const std::vector<const void*>& addresses, int device) {
    any_access = true;
    device_at_work = device;
    for (const void* address : addresses) open(find_allocation(address));
}

DeviceAccess::~DeviceAccess() {
    any_access = false;
    for (; first_open != nullptr; first_open = first_open->next_open) first_open->close();
}

std::string DeviceAccess::damage_nearby() const {
    for (const GuardedBytes* memory = first_open; memory != nullptr; memory = memory->next_open)
        if (memory->is_damaged_nearby()) return damage();
    return {};
}

std::string DeviceAccess::damage() const {
    for (const GuardedBytes* memory = first_open; memory != nullptr; memory = memory->next_open) {
        std::string text = damage_of(find_allocation(memory->begin()));
        if (!text.empty()) return text;
    }
    return {};
}

bool open_on_demand(const void* address) {
    const Allocation a = find_allocation(address);
    if (!any_access || !may_open(a) || a.memory->is_open()) return false;
    open(a);
    return true;
}

std::string describe_address(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    char hex[32];
    std::snprintf(hex, sizeof hex, "%#zx", static_cast<std::size_t>(at));
    if (at < 65536) return "through a null pointer" + (at == 0 ? "" : " plus " + count_text(at));
    if (std::string shared = describe_shared(address); !shared.empty()) return shared;
    const Allocation a = find_near(address);
    const char* const where = static_cast<const char*>(address);
    if (a.begin == nullptr)
        return (was_freed(address) ? "memory that was freed, at address "
                                   : "outside of every allocation, at address ") +
               std::string(hex);
    if (where >= a.begin + a.bytes)
        return count_text(static_cast<std::size_t>(where - a.begin) - a.bytes + 1) +
               " past the end of " + describe(a);
    if (where < a.begin)
        return count_text(static_cast<std::size_t>(a.begin - where)) + " before the beginning of " +
               describe(a);
    return "byte " + std::to_string(where - a.begin) + " of " + describe(a) +
           (a.type == cudaMemoryTypeDevice ? " of device " + std::to_string(a.device) : "");
}

}  // namespace cuda_on_cpu
