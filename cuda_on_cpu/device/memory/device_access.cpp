// SPDX-License-Identifier: MIT
#include "device/memory/device_access.hpp"

#include <cstdint>
#include <cstdio>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/memory/stream.hpp"
#include "device/memory/variables.hpp"
#include "host_access.hpp"

namespace cuda_on_cpu {
namespace {

GuardedBytes* first_open = nullptr;  // a linked list, because a fault handler cannot allocate
constexpr int no_device = -2;
int device_at_work = no_device;
const std::vector<Address>* arguments = nullptr;  // those of the running kernel

bool may_open(const Allocation& a) {
    return a.type == cudaMemoryTypeDevice && a.memory != nullptr &&
           (device_at_work == any_device ||
            (device_at_work >= 0 && uses_memory_of(device_at_work, a.device)));
}

void open(const Allocation& a) {
    if (!may_open(a) || a.memory->is_open()) return;
    a.memory->open();
    a.memory->next_open = first_open;
    first_open = a.memory;
}

// "argument 2, device memory of 4000 bytes"
std::string argument_and_memory(const Allocation& a) {
    if (arguments != nullptr)
        for (const Address& address : *arguments)
            if (a.begin == find_near(address.value).begin)
                return name_of(address) + ", " + describe(a);
    return describe(a);
}

}  // namespace

DeviceAccess::DeviceAccess(const std::vector<Address>& addresses, int device) {
    begin_device_values();
    use_symbols_of(device);
    device_at_work = device;
    arguments = &addresses;
    for (const Address& address : addresses) open(find_allocation(address.value));
}

DeviceAccess::DeviceAccess(const std::vector<const void*>& addresses, int symbols_of) {
    begin_device_values();
    use_symbols_of(symbols_of);
    device_at_work = any_device;
    for (const void* address : addresses) open(find_allocation(address));
}

DeviceAccess::~DeviceAccess() {
    device_at_work = no_device;
    arguments = nullptr;
    end_device_values();
    for (; first_open != nullptr; first_open = first_open->next_open) first_open->close();
}

HostAccess::HostAccess(const std::vector<const void*>& addresses)
    : access_(std::make_unique<DeviceAccess>(addresses, current_device())) {
    for (const void* const address : addresses) tell(&Observer::read, address, calling_frames);
}

HostAccess::~HostAccess() = default;

bool host_copies() { return device_at_work == any_device; }

bool open_on_demand(const void* address, bool by_library) {
    const Allocation a = by_library ? find_near(address) : find_allocation(address);
    if (!may_open(a) || a.memory->is_open()) return false;
    open(a);
    return true;
}

Finding describe_address(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    char hex[32];
    std::snprintf(hex, sizeof hex, "%#zx", static_cast<std::size_t>(at));
    if (at < 65536)
        return origin_of_null("through a null pointer" +
                              (at == 0 ? "" : " plus " + count_text(at)));
    if (Finding shared = describe_shared(address); !shared.empty()) return shared;
    const Allocation a = find_near(address);
    const char* const where = static_cast<const char*>(address);
    if (a.begin == nullptr && was_freed(address)) return "memory" + where_freed(address);
    if (a.begin == nullptr)
        return {Kind::outside_allocations,
                "outside of every allocation, at address " + std::string(hex)};
    if (where >= a.begin + a.bytes)
        return {a.memory != nullptr && a.memory->pitch > a.memory->row_bytes ? Kind::past_pitched
                                                                             : Kind::past_end,
                count_text(static_cast<std::size_t>(where - a.begin) - a.bytes + 1) +
                    " past the end of " + argument_and_memory(a)};
    if (where < a.begin)
        return {Kind::before_beginning, count_text(static_cast<std::size_t>(a.begin - where)) +
                                            " before the beginning of " + argument_and_memory(a)};
    return {device_at_work >= 0 ? Kind::other_device : Kind::device_memory_on_host,
            "byte " + std::to_string(where - a.begin) + " of " + argument_and_memory(a) +
                (a.type == cudaMemoryTypeDevice ? " on device " + std::to_string(a.device) : "")};
}

}  // namespace cuda_on_cpu
