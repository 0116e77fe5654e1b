// SPDX-License-Identifier: MIT
#include "device/memory/shared_memory.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "device/memory/allocations.hpp"
#include "device/memory/undefined.hpp"
#include "device/mistakes/asan.hpp"
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

using Range = SharedMemory::Range;
Range static_shared{};  // found by the last launch

// Behind the __shared__ variables, whose object files are linked first. Behind it, x86-64 keeps what
// the C library needs of the thread.
thread_local char variables_guard[4096];

// Unless another variable stands behind it.
bool ends_with_guard(const Range& block) {
    return block.end == variables_guard + sizeof variables_guard && !has_asan();
}

// The first module is the program itself. Its thread-local block begins with the initialised
// variables. A __shared__ variable cannot have an initialiser, so those are other variables, and
// they are left alone.
int find_block(dl_phdr_info* info, std::size_t, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
        char* const block = static_cast<char*>(info->dlpi_tls_data);
        *static_cast<Range*>(result) = {block + header.p_filesz, block + header.p_memsz};
    }
    return 1;
}

}  // namespace

void* dynamic_memory() { return dynamic().begin; }

SharedMemory::SharedMemory(std::size_t dynamic_bytes) {
    Range block{};
    dl_iterate_phdr(find_block, &block);
    if (ends_with_guard(block)) block.end = variables_guard;
    static_shared = block;
    begin_ = block.begin;
    end_ = block.end;
    dynamic().resize(dynamic_bytes);
    dynamic_begin_ = dynamic().begin;
    dynamic_end_ = dynamic_begin_ + dynamic_bytes;
    poison(dynamic_end_, largest_shared_bytes - dynamic_bytes);
}

SharedMemory::~SharedMemory() { unpoison(dynamic_begin_, largest_shared_bytes); }

void SharedMemory::forget() const {
    fill_undefined(begin_, end_);
    fill_undefined(dynamic_begin_, dynamic_end_);
}

std::vector<char> SharedMemory::save() const {
    std::vector<char> bytes(begin_, end_);
    bytes.insert(bytes.end(), dynamic_begin_, dynamic_end_);
    return bytes;
}

void SharedMemory::restore(const std::vector<char>& bytes) const {
    const auto dynamic_bytes = static_cast<std::ptrdiff_t>(dynamic_end_ - dynamic_begin_);
    std::copy(bytes.begin(), bytes.end() - dynamic_bytes, begin_);
    std::copy(bytes.end() - dynamic_bytes, bytes.end(), dynamic_begin_);
}

std::array<SharedRange, 2> shared_ranges() {
    return {{{static_shared.begin, static_shared.end},
             {dynamic().begin, dynamic().begin + dynamic().used_bytes}}};
}

bool is_shared(const void* address) {
    const auto* const byte = static_cast<const char*>(address);
    for (const SharedRange& range : shared_ranges())
        if (byte >= range.begin && byte < range.end) return true;
    return false;
}

std::string byte_of_shared(const void* address) {
    if (!is_shared(address)) return "an address that is not in shared memory";
    const auto* const at = static_cast<const char*>(address);
    const auto& [variables, in_launch] = shared_ranges();
    const bool is_dynamic = at >= in_launch.begin && at < in_launch.end;
    return "byte " + std::to_string(at - (is_dynamic ? in_launch : variables).begin) +
           (is_dynamic ? " of dynamic shared memory" : " of shared memory");
}

Finding describe_shared(const void* address) {
    const auto* const at = static_cast<const char*>(address);
    const char* const end = dynamic().begin + dynamic().used_bytes;
    const std::string what = "the dynamic shared memory, for which the launch asks for " +
                             count_text(dynamic().used_bytes);
    if (at >= end && at < end + guard_bytes)
        return {Kind::past_dynamic_shared,
                count_text(static_cast<std::size_t>(at - end) + 1) + " past the end of " + what};
    if (at >= static_shared.end && at < static_shared.end + sizeof variables_guard &&
        static_shared.end == variables_guard)
        return {Kind::past_shared,
                count_text(static_cast<std::size_t>(at - static_shared.end) + 1) +
                    " past the end of the __shared__ variables"};
    if (at < dynamic().begin && at >= dynamic().begin - guard_bytes)
        return {Kind::before_beginning, count_text(static_cast<std::size_t>(dynamic().begin - at)) +
                                            " before the beginning of " + what};
    return {};
}

}  // namespace cuda_on_cpu
