// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
#include "device/variables.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device/accesses.hpp"
#include "device/report.hpp"
#include "keywords.hpp"

namespace cuda_on_cpu {
namespace {

struct Values {
    Variable variable;
    std::vector<char> of_device;  // of a small variable, since the device worked last
    std::vector<char> of_host;    // where the host has written it
    bool is_told = false;
};

// By address; static objects of the program add to it.
std::vector<Values>& all() {
    static auto& values = *new std::vector<Values>;
    return values;
}

// Comparing all of them costs nothing beside a launch.
constexpr std::size_t small = 256;
constexpr std::size_t most = 64;

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

const Variable* find_variable(const void* address) {
    const auto next = std::upper_bound(
        all().begin(), all().end(), address,
        [](const void* at, const Values& values) { return at < values.variable.begin; });
    if (next == all().begin()) return nullptr;
    const Variable& variable = std::prev(next)->variable;
    return address < variable.begin + variable.bytes ? &variable : nullptr;
}

void tell_host_writes(const Variable& variable, const std::string& place) {
    for (Values& values : all()) {
        if (values.variable.begin != variable.begin || values.is_told) continue;
        values.is_told = true;
        const std::string name = variable.name;
        report("the host writes " + name + ", a " +
               (variable.is_constant ? "__constant__" : "__device__") + " variable, by its name" +
               place +
               ". A kernel does not see that. Remedy: give the value to a variable of the "
               "host, and copy it: cudaMemcpyToSymbol(" +
               name + ", &value, sizeof value).");
    }
}

void begin_device_values() {
    for (Values& values : all()) {
        const Variable& variable = values.variable;
        if (values.of_device.empty()) continue;
        if (values.of_host.empty()) {
            if (std::memcmp(variable.begin, values.of_device.data(), variable.bytes) == 0) continue;
            if (observer == nullptr) tell_host_writes(variable, "");
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
