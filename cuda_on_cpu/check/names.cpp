// SPDX-License-Identifier: MIT
// Names of variables come from the program's table of symbols, by nm (binutils).
#include "names.hpp"

#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/shared_memory.hpp"

namespace cuda_on_cpu::check {
namespace {

struct Module {
    std::uintptr_t base = 0, variables = 0;  // of thread-local ones
};

constexpr const char* guard = "a guard variable";
constexpr const char* table = "vtable for ";

// The first module is the program itself.
int take_module(dl_phdr_info* info, std::size_t, void* result) {
    *static_cast<Module*>(result) = {info->dlpi_addr,
                                     reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data)};
    return 1;
}
const Module& module() {
    static const Module program = [] {
        Module result;
        dl_iterate_phdr(take_module, &result);
        return result;
    }();
    return program;
}

struct Symbol {
    unsigned long begin, bytes;
    std::string name;
};

// From nm's "0000000000000010 0000000000000400 b tile(float*)::s_tile". Offsets of thread-local
// variables begin at 0, where nothing else lies.
std::vector<Symbol> read_symbols() {
    const std::string command =
        "nm -C -S --defined-only /proc/" + std::to_string(getpid()) + "/exe 2>/dev/null";
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::vector<Symbol> symbols;
    for (char line[1024]; std::fgets(line, sizeof line, pipe) != nullptr;) {
        Symbol symbol{};
        char kind = 0, text[1000] = {};
        if (std::sscanf(line, "%lx %lx %c %999[^\n]", &symbol.begin, &symbol.bytes, &kind, text) !=
                4 ||
            std::strchr("bBdDVu", kind) == nullptr)
            continue;
        symbol.name = text;
        if (symbol.name.rfind("guard variable", 0) == 0) symbol.name = guard;
        if (const auto mark = symbol.name.find("[abi:cuda_shared]"); mark != std::string::npos)
            symbol.name.erase(mark, std::strlen("[abi:cuda_shared]"));
        if (const auto scope = symbol.name.rfind("::");
            scope != std::string::npos && symbol.name.rfind(table, 0) != 0)
            symbol.name.erase(0, scope + 2);
        symbols.push_back(symbol);
    }
    pclose(pipe);
    return symbols;
}

const Symbol* symbol_at(std::uintptr_t offset) {
    static const std::vector<Symbol> symbols = read_symbols();
    for (const Symbol& symbol : symbols)
        if (offset >= symbol.begin && offset < symbol.begin + symbol.bytes) return &symbol;
    return nullptr;
}

// "element 3 of s_tile"; empty if no variable is there.
std::string name_at(std::uintptr_t offset, std::size_t bytes) {
    const Symbol* const symbol = symbol_at(offset);
    if (symbol == nullptr) return {};
    if (symbol->bytes <= bytes || symbol->name == guard) return symbol->name;
    return "element " + std::to_string((offset - symbol->begin) / bytes) + " of " + symbol->name;
}

}  // namespace

bool is_guard(const Region& region, std::uintptr_t address) {
    return region.kind == Region::Kind::shared && name_at(address - module().variables, 1) == guard;
}

std::size_t variable_bytes(std::uintptr_t address) {
    const Symbol* const symbol = symbol_at(address - module().base);
    return symbol == nullptr ? 1 : symbol->begin + symbol->bytes - (address - module().base);
}
bool is_virtual_table(std::uintptr_t address) {
    const Symbol* const symbol = symbol_at(address - module().base);
    return symbol != nullptr && symbol->name.rfind(table, 0) == 0;
}

std::uint32_t code_offset(const void* code) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - module().base);
}
const void* code_at(std::uint32_t offset) {
    return reinterpret_cast<const void*>(module().base + offset);
}

std::string element_name(const Region& region, std::uintptr_t address, std::size_t bytes,
                         const Launch& launch) {
    const auto* const at = reinterpret_cast<const char*>(address);
    const std::string number = std::to_string((address - region.begin) / bytes);
    std::string name;
    if (region.kind == Region::Kind::shared) {
        name = name_at(address - module().variables, bytes);
        return name.empty() ? "element " + number + dynamic_memory : name;
    }
    if (region.kind == Region::Kind::statics) {
        name = name_at(address - module().base, bytes);
        return name.empty() ? "a variable" : name;
    }
    const Address* nearest =
        nullptr;  // of those that point into the same allocation, not behind it
    for (const Address& argument : launch.addresses)
        if (find_allocation(argument.value).begin == find_allocation(at).begin &&
            (nearest == nullptr || (argument.value <= at && argument.value > nearest->value)))
            nearest = &argument;
    if (nearest != nullptr)
        return "element " +
               std::to_string((at - static_cast<const char*>(nearest->value)) /
                              static_cast<std::ptrdiff_t>(bytes)) +
               " of " + name_of(*nearest);
    return "element " + number + " of " + describe(find_allocation(at));
}

const std::string& line_of(std::uint32_t code) {
    static auto& known = *new std::map<std::uint32_t, std::string>;
    const auto found = known.find(code);
    if (found != known.end()) return found->second;
    std::string line = users_line(static_cast<const char*>(code_at(code)) - 1);
    if (line.empty())
        line = source_line(static_cast<const char*>(code_at(code)) - 1).empty()
                   ? "a line that the program does not name"
                   : "a line of CUDA's headers";
    return known[code] = line;
}

Finding place_of(std::uint32_t code) { return at(line_of(code)); }

Finding joined(const std::set<Finding>& words) {
    constexpr std::size_t limit = 5;
    Finding text;
    std::size_t number = 0;
    for (const Finding& word : words) {
        if (++number > limit) return text + " and others";
        text += (number == 1 ? "" : number == words.size() ? " and " : ", ") + word;
    }
    return text;
}

Finding launch_name(const Launch& launch) { return name_of(launch.place); }

std::string thread_name(const Launch& launch, unsigned number, uint3 block) {
    const uint3 thread{number % launch.block.x, number / launch.block.x % launch.block.y,
                       number / launch.block.x / launch.block.y};
    return "thread " + text_of(thread) + " of block " + text_of(block);
}

}  // namespace cuda_on_cpu::check
