// SPDX-License-Identifier: MIT
// __constant__ and __device__ variables are ordinary variables with static storage. They hold the
// values of the device that works. Once the host has named a variable, this file keeps the other
// devices' values.
#include <link.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "device/base/device.hpp"
#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/copy.hpp"
#include "device/memory/variables.hpp"
#include "kernel_api.hpp"

namespace cuda_on_cpu {
namespace {

struct Symbol {
    std::vector<char> initial;
    std::map<int, std::vector<char>> of_device;
};
std::map<char*, Symbol>& symbols() {
    static auto& all = *new std::map<char*, Symbol>;
    return all;
}
std::set<const char*>& addressed() {  // by cudaGetSymbolAddress
    static auto& all = *new std::set<const char*>;
    return all;
}
int at_work = 0;

void keep_symbol(const void* variable, std::size_t bytes) {
    char* const begin = static_cast<char*>(const_cast<void*>(variable));
    add_symbol(begin, bytes);
    for (const auto& [known, symbol] : symbols())  // it may be a part of a known one
        if (begin >= known && begin + bytes <= known + symbol.initial.size()) return;
    symbols()[begin] = {{begin, begin + bytes}, {}};
}

struct Search {
    std::uintptr_t begin, end;
    bool found;
};

int look_in_module(dl_phdr_info* info, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0 && search.begin >= begin &&
            search.end <= begin + header.p_memsz)
            search.found = true;
    }
    return search.found ? 1 : 0;
}

// Reports a copy that counts elements instead of bytes. A part of a struct may be copied on
// purpose.
void report_part_of_element(const void* symbol, std::size_t symbol_bytes, std::size_t element,
                            std::size_t bytes) {
    if (bytes % element == 0) return;
    const Variable* const variable = find_variable(symbol);
    const std::string name = variable == nullptr ? "a variable" : variable->name;
    report({Kind::part_of_element, "a copy of " + count_text(bytes) + calling_place() +
                                       " ends within an element of " + name + ", which has " +
                                       std::to_string(symbol_bytes / element) + " of " +
                                       count_text(element) + "."});
}

}  // namespace

bool is_static(const void* address, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    Search search{begin, begin + bytes, false};
    dl_iterate_phdr(look_in_module, &search);
    return search.found;
}

Finding host_copy_at(const void* address) {
    const Variable* const variable = find_variable(address);
    if (variable == nullptr || variable->is_read_only || addressed().contains(variable->begin))
        return {};
    return {Kind::host_copy_of_variable, ", which is the host's copy of " + describe(*variable)};
}

void use_symbols_of(int device) {
    if (device == at_work) return;
    for (auto& [begin, symbol] : symbols()) {
        symbol.of_device[at_work].assign(begin, begin + symbol.initial.size());
        const auto kept = symbol.of_device.find(device);
        const auto& values = kept == symbol.of_device.end() ? symbol.initial : kept->second;
        std::memcpy(begin, values.data(), values.size());
    }
    at_work = device;
}

void forget_symbols() {
    for (const auto& [begin, symbol] : symbols())
        std::memcpy(begin, symbol.initial.data(), symbol.initial.size());
    symbols().clear();
    at_work = 0;
    renew_device_values();
}

// A local, allocated or constant object is no symbol. But a writable variable of the host looks the
// same as a __constant__ one.
cudaError_t copy_symbol(const void* symbol, std::size_t symbol_bytes, std::size_t element,
                        const void* host_from, void* host_to, std::size_t bytes, std::size_t offset,
                        bool wait, cudaMemcpyKind kind, cudaStream_t stream) {
    return api([&] {
        if (!is_static(symbol, symbol_bytes)) return cudaErrorInvalidSymbol;
        if (offset > symbol_bytes || bytes > symbol_bytes - offset) {
            const Variable* const variable = find_variable(symbol);
            report({Kind::copy_past_variable,
                    "a copy goes " + count_text(offset + bytes - symbol_bytes) +
                        " past the end of " +
                        (variable == nullptr ? "a variable" : describe(*variable)) + " of " +
                        count_text(symbol_bytes) + calling_line().text + "."});
            return cudaErrorInvalidValue;
        }
        report_part_of_element(symbol, symbol_bytes, element, bytes);
        const cudaMemcpyKind across =
            host_to != nullptr ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
        if (kind != across && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        keep_symbol(symbol, symbol_bytes);
        char* const place = static_cast<char*>(const_cast<void*>(symbol)) + offset;
        const Rows rows{bytes, 1, bytes, bytes, true};
        return host_to != nullptr ? copy(host_to, place, rows, kind, wait, stream)
                                  : copy(place, host_from, rows, kind, wait, stream);
    });
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes) {
    return api([&] {
        if (pointer == nullptr) return cudaErrorInvalidValue;
        if (!is_static(symbol, bytes)) return cudaErrorInvalidSymbol;
        keep_symbol(symbol, bytes);
        if (const Variable* const variable = find_variable(symbol))
            addressed().insert(variable->begin);
        *pointer = const_cast<void*>(symbol);
        return cudaSuccess;
    });
}

}  // namespace cuda_on_cpu
