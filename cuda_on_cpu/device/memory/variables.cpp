// SPDX-License-Identifier: MIT
#include "device/memory/variables.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/within.hpp"
#include "device/memory/allocations.hpp"
#include "keywords.hpp"

// The ends of the section that __managed__ (keywords.hpp) puts variables into; the linker defines them.
extern "C" [[gnu::weak]] char __start_managed_variables[], __stop_managed_variables[];

namespace cuda_on_cpu {
namespace {

struct Values {
    Variable variable;
    std::vector<char> of_device;  // of a small variable, after the device last worked
    std::vector<char> of_host;    // if the host has written the variable
    bool is_reported = false;
};

// Sorted by address. The program's static objects add to it.
std::vector<Values>& all() {
    static auto& values = *new std::vector<Values>;
    return values;
}

// Comparing this many bytes costs nothing beside a launch.
constexpr std::size_t small = 256;
constexpr std::size_t most = 64;

// Sorted by address.
std::vector<char*>& guards() {
    static auto& begins = *new std::vector<char*>;
    return begins;
}

void add_guard(char* begin) {
    const auto place = std::lower_bound(guards().begin(), guards().end(), begin);
    if (place != guards().end() && *place == begin) return;
    guards().insert(place, begin);
}

// True in a guard, and in the few bytes that alignment leaves between a guard and the next
// variable.
bool is_in_guard(const char* address) {
    const auto next_guard = std::upper_bound(guards().begin(), guards().end(), address);
    if (next_guard == guards().begin()) return false;
    const char* const end = *std::prev(next_guard) + Guards::bytes;
    if (address < end) return true;
    constexpr std::ptrdiff_t widest = 64;
    const auto next = std::upper_bound(
        all().begin(), all().end(), address,
        [](const char* at, const Values& values) { return at < values.variable.begin; });
    return find_variable(address) == nullptr && next != all().end() &&
           next->variable.begin - end < widest;
}

void keep(Values& values) {
    const Variable& variable = values.variable;
    if (variable.bytes <= small && !variable.is_read_only)
        values.of_device.assign(variable.begin, variable.begin + variable.bytes);
}

}  // namespace

DeviceVariable::DeviceVariable(const volatile void* begin, std::size_t bytes, const char* name,
                               bool is_constant, bool is_set, bool is_read_only) {
    auto* const address = static_cast<char*>(const_cast<void*>(begin));
    const auto place = std::lower_bound(
        all().begin(), all().end(), address,
        [](const Values& values, const char* at) { return values.variable.begin < at; });
    if (place != all().end() && place->variable.begin == address) return;
    const Variable variable{address, bytes, name, is_constant, is_set, is_read_only};
    Values& added = *all().insert(place, {variable, {}, {}});
    if (all().size() <= most) keep(added);
    if (observer != nullptr) observer->declared(variable);
}

Guards::Guards(char* of_set, char* of_unset) {
    add_guard(of_set);
    add_guard(of_unset);
}

std::string describe(const Variable& variable) {
    return std::string(variable.name) + ", a " +
           (variable.is_constant ? "__constant__" : "__device__") + " variable";
}

bool is_managed_variable(const void* address) {
    return within(address, __start_managed_variables,
                  static_cast<std::size_t>(__stop_managed_variables - __start_managed_variables));
}

bool any_variable(const std::function<bool(const Variable&)>& is_it) {
    return std::any_of(all().begin(), all().end(),
                       [&](const Values& values) { return is_it(values.variable); });
}

const Variable* find_variable(const void* address) {
    const auto next = std::upper_bound(
        all().begin(), all().end(), address,
        [](const void* at, const Values& values) { return at < values.variable.begin; });
    if (next == all().begin()) return nullptr;
    const Variable& variable = std::prev(next)->variable;
    return within(address, variable.begin, variable.bytes) ? &variable : nullptr;
}

void report_host_write(const Variable& variable, const Finding& place) {
    for (Values& values : all()) {
        if (values.variable.begin != variable.begin || values.is_reported) continue;
        values.is_reported = true;
        const std::string name = variable.name;
        Finding finding(Kind::variable_written_by_host, "the host writes " + describe(variable) +
                                                            ", by its name" + place +
                                                            ". A kernel does not see that.");
        finding.remedy =
            "give the value to a variable of the host, and copy it: cudaMemcpyToSymbol(" + name +
            ", &value, sizeof value).";
        report(std::move(finding));
    }
}

Finding describe_outside_variable(const char* address) {
    if (!is_in_guard(address)) return {};
    const Variable* nearest = nullptr;
    const auto distance = [address](const Variable& variable) {
        return static_cast<std::size_t>(address < variable.begin
                                            ? variable.begin - address
                                            : address + 1 - variable.begin - variable.bytes);
    };
    for (const Values& values : all())
        if (nearest == nullptr || distance(values.variable) < distance(*nearest))
            nearest = &values.variable;
    if (nearest == nullptr) return {};
    return {Kind::outside_variable,
            count_text(distance(*nearest)) +
                (address < nearest->begin ? " before the beginning of " : " past the end of ") +
                describe(*nearest) + " of " + count_text(nearest->bytes)};
}

Finding constant_at(const char* address) {
    const Variable* const variable = find_variable(address);
    if (variable == nullptr || !variable->is_constant) return {};
    return {Kind::write_to_constant, describe(*variable) + ", which kernels can only read"};
}

void begin_device_values() {
    for (Values& values : all()) {
        const Variable& variable = values.variable;
        if (values.of_device.empty()) continue;
        if (values.of_host.empty()) {
            if (std::memcmp(variable.begin, values.of_device.data(), variable.bytes) == 0) continue;
            if (observer == nullptr) report_host_write(variable, "");
        }
        values.of_host.assign(variable.begin, variable.begin + variable.bytes);
        std::memcpy(variable.begin, values.of_device.data(), variable.bytes);
    }
}

void end_device_values() {
    for (Values& values : all()) {
        if (values.of_device.empty()) continue;
        keep(values);
        if (!values.of_host.empty())
            std::memcpy(values.variable.begin, values.of_host.data(), values.of_host.size());
    }
}

void renew_device_values() {
    for (Values& values : all()) {
        values.of_host.clear();
        if (!values.of_device.empty()) keep(values);
    }
}

}  // namespace cuda_on_cpu
