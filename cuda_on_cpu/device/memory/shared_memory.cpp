// SPDX-License-Identifier: MIT
#include "device/memory/shared_memory.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <new>

#include "device/base/asan.hpp"
#include "device/base/undefined.hpp"
#include "device/memory/allocations.hpp"
#include "keywords.hpp"

namespace cuda_on_cpu {
namespace {

constexpr std::size_t guard_bytes = std::size_t{16} << 20;

// The memory of every extern __shared__ T name[], whatever its name and type. It lies between
// guards and is open for as many bytes as the last launch asked for.
struct DynamicShared {
    DynamicShared() {
        const std::size_t bytes = guard_bytes + round_up(largest_shared_bytes) + guard_bytes;
        void* const map =
            mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) throw std::bad_alloc();
        begin = static_cast<char*>(map) + guard_bytes;
    }
    static std::size_t round_up(std::size_t bytes) {
        static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return (bytes + page - 1) / page * page;
    }
    void resize(std::size_t bytes) {
        const std::size_t needed = round_up(has_asan() ? largest_shared_bytes : bytes);
        if (needed > open_bytes)
            mprotect(begin, needed, PROT_READ | PROT_WRITE);
        else if (needed < open_bytes)
            mprotect(begin + needed, open_bytes - needed, PROT_NONE);
        open_bytes = needed;
        used_bytes = bytes;
    }
    char* begin;
    std::size_t open_bytes = 0, used_bytes = 0;
};
DynamicShared& dynamic() {
    static auto& memory = *new DynamicShared;
    return memory;
}

std::map<const void*, std::size_t>& dynamic_limits() {  // by kernel
    static auto& limits = *new std::map<const void*, std::size_t>;
    return limits;
}

using Range = SharedMemory::Range;
Range static_shared{};  // found by the last launch

// A thread_local variable: its place in the program's thread-local block.
struct ThreadLocal {
    std::size_t begin, end;
    bool is_shared;
};

// Those in the program's table of symbols, by their places; none if it has no table (strip).
std::vector<ThreadLocal> read_thread_locals() {
    const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) return {};
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* const map = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (map == MAP_FAILED) return {};
    const char* const program = static_cast<const char*>(map);
    const auto& head = *reinterpret_cast<const ElfW(Ehdr)*>(program);
    const auto* const sections = reinterpret_cast<const ElfW(Shdr)*>(program + head.e_shoff);
    std::vector<ThreadLocal> found;
    for (unsigned i = 0; i < head.e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const char* const names = program + sections[sections[i].sh_link].sh_offset;
        const auto* const symbols =
            reinterpret_cast<const ElfW(Sym)*>(program + sections[i].sh_offset);
        for (std::size_t s = 0; s < sections[i].sh_size / sizeof *symbols; ++s)
            if (const auto& symbol = symbols[s]; ELF64_ST_TYPE(symbol.st_info) == STT_TLS)
                found.push_back({symbol.st_value, symbol.st_value + symbol.st_size,
                                 std::strstr(names + symbol.st_name, "cuda_shared") != nullptr});
    }
    munmap(map, bytes);
    std::sort(found.begin(), found.end(),
              [](const ThreadLocal& a, const ThreadLocal& b) { return a.begin < b.begin; });
    return found;
}

// The __shared__ variables; those without another one between them together.
std::vector<ThreadLocal> shared_variables(const std::vector<ThreadLocal>& all) {
    std::vector<ThreadLocal> shared;
    bool goes_on = false;
    for (const ThreadLocal& variable : all) {
        if (variable.is_shared && goes_on)
            shared.back().end = variable.end;
        else if (variable.is_shared)
            shared.push_back(variable);
        goes_on = variable.is_shared;
    }
    return shared;
}

// Behind the __shared__ variables, whose object files are linked first. Behind it, x86-64 keeps what
// the C library needs of the thread.
thread_local char variables_guard[4096];

// Unless another variable stands behind it.
bool ends_with_guard(const Range& block) {
    return block.end == variables_guard + sizeof variables_guard && !has_asan();
}

// Where the __shared__ variables may lie, and where they do lie.
struct Block {
    Range whole{};
    std::vector<Range> shared;
};

// The first module is the program itself. Its thread-local block begins with the initialised
// variables. A __shared__ variable cannot have an initialiser, so those are other variables.
int find_block(dl_phdr_info* info, std::size_t, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
        static const std::vector<ThreadLocal> all = read_thread_locals();
        static const std::vector<ThreadLocal> shared = shared_variables(all);
        char* const begin = static_cast<char*>(info->dlpi_tls_data);
        Block& block = *static_cast<Block*>(result);
        block.whole = {begin + header.p_filesz, begin + header.p_memsz};
        if (ends_with_guard(block.whole)) block.whole.end = variables_guard;
        for (const ThreadLocal& variables : shared)
            block.shared.push_back({begin + variables.begin, begin + variables.end});
        if (all.empty()) block.shared.push_back(block.whole);
    }
    return 1;
}

}  // namespace

std::size_t dynamic_limit(const void* kernel) {
    const auto found = dynamic_limits().find(kernel);
    return found == dynamic_limits().end() ? default_shared_bytes : found->second;
}
void set_dynamic_limit(const void* kernel, std::size_t bytes) { dynamic_limits()[kernel] = bytes; }

void* dynamic_memory() { return dynamic().begin; }

SharedMemory::SharedMemory(std::size_t dynamic_bytes) {
    Block block;
    dl_iterate_phdr(find_block, &block);
    static_shared = block.whole;
    variables_ = std::move(block.shared);
    dynamic().resize(dynamic_bytes);
    dynamic_begin_ = dynamic().begin;
    dynamic_end_ = dynamic_begin_ + dynamic_bytes;
    poison(dynamic_end_, largest_shared_bytes - dynamic_bytes);
}

SharedMemory::~SharedMemory() { unpoison(dynamic_begin_, largest_shared_bytes); }

void SharedMemory::forget() const {
    for (const Range& variables : variables_) fill_undefined(variables.begin, variables.end);
    fill_undefined(dynamic_begin_, dynamic_end_);
}

std::vector<char> SharedMemory::save() const {
    std::vector<char> bytes;
    for (const Range& variables : variables_)
        bytes.insert(bytes.end(), variables.begin, variables.end);
    bytes.insert(bytes.end(), dynamic_begin_, dynamic_end_);
    return bytes;
}

void SharedMemory::restore(const std::vector<char>& bytes) const {
    const char* from = bytes.data();
    for (const Range& variables : variables_) {
        std::copy(from, from + (variables.end - variables.begin), variables.begin);
        from += variables.end - variables.begin;
    }
    std::copy(from, from + (dynamic_end_ - dynamic_begin_), dynamic_begin_);
}

std::array<SharedRange, 2> shared_ranges() {
    return {{{static_shared.begin, static_shared.end},
             {dynamic().begin, dynamic().begin + dynamic().used_bytes}}};
}

bool is_shared(const void* address) {
    const auto& [variables, in_launch] = shared_ranges();
    return variables.contains(address) || in_launch.contains(address);
}

std::string byte_of_shared(const void* address) {
    if (!is_shared(address)) return "an address that is not in shared memory";
    const auto* const at = static_cast<const char*>(address);
    const auto& [variables, in_launch] = shared_ranges();
    const bool is_dynamic = in_launch.contains(at);
    return "byte " + std::to_string(at - (is_dynamic ? in_launch : variables).begin) +
           (is_dynamic ? " of dynamic shared memory" : " of shared memory");
}

Finding describe_shared(const void* address) {
    const auto* const at = static_cast<const char*>(address);
    const char* const end = dynamic().begin + dynamic().used_bytes;
    const std::string what = "the dynamic shared memory, for which the launch asks for " +
                             count_text(dynamic().used_bytes);
    if (within(at, end, guard_bytes))
        return {Kind::past_dynamic_shared,
                count_text(static_cast<std::size_t>(at - end) + 1) + " past the end of " + what};
    if (within(at, static_shared.end, sizeof variables_guard) &&
        static_shared.end == variables_guard)
        return {Kind::past_shared,
                count_text(static_cast<std::size_t>(at - static_shared.end) + 1) +
                    " past the end of the __shared__ variables"};
    if (within(at, dynamic().begin - guard_bytes, guard_bytes))
        return {Kind::before_beginning, count_text(static_cast<std::size_t>(dynamic().begin - at)) +
                                            " before the beginning of " + what};
    return {};
}

}  // namespace cuda_on_cpu
