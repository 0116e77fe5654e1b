// SPDX-License-Identifier: MIT
#include "count/places.hpp"

#include <link.h>

#include <bit>

#include "device/memory/allocations.hpp"
#include "device/memory/shared_memory.hpp"

// Where the linker has put the __constant__ variables: the program is compiled with
// -D__constant__='__attribute__((section("constant_memory")))'. Not there: it has none.
extern "C" const char __start_constant_memory[] __attribute__((weak));
extern "C" const char __stop_constant_memory[] __attribute__((weak));

namespace cuda_on_cpu::count {
namespace {

std::uint64_t number(const char* address) { return reinterpret_cast<std::uint64_t>(address); }

struct Statics {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
};

// The first module is the program itself.
int find_statics(dl_phdr_info* info, std::size_t, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
        const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
        *static_cast<Statics*>(result) = {begin, begin + header.p_memsz};
    }
    return 1;
}

}  // namespace

Places::Places() {
    Statics statics;
    dl_iterate_phdr(find_statics, &statics);
    statics.begin &= ~std::uint64_t{255};  // a __device__ variable lies as its alignment says
    if (const std::uint64_t begin = number(__start_constant_memory); begin != 0) {
        const std::uint64_t end = number(__stop_constant_memory);
        add(fixed_, begin, end, Memory::constant);
        add(fixed_, end, statics.end, Memory::global, end & ~std::uint64_t{255});
        statics.end = begin;
    }
    add(fixed_, statics.begin, statics.end, Memory::global);
}

void Places::add(std::vector<Place>& places, std::uint64_t begin, std::uint64_t end, Memory memory,
                 std::uint64_t origin) {
    const std::uint64_t apart = std::uint64_t{1} << 44;  // no two places have a sector in common
    if (begin < end)
        places.push_back(
            {begin, end, (origin == 0 ? begin : origin) - apart * (places.size() + 1), memory});
}

void Places::begin_kernel() {
    known_ = fixed_;
    for (const SharedRange& range : shared_ranges())
        add(known_, number(range.begin), number(range.end), Memory::shared);
}

const Places::Place* Places::look_up(std::uint64_t address) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
        if (address < known_[i].begin || address >= known_[i].end) continue;
        if (i == 0) return &known_[0];
        std::swap(known_[i], known_[i - 1]);  // what is used most comes first
        return &known_[i - 1];
    }
    const Allocation a = find_allocation(reinterpret_cast<const void*>(address));
    if (a.type == cudaMemoryTypeUnregistered) return nullptr;
    add(known_, number(a.begin), number(a.begin) + a.bytes, Memory::global);
    return &known_.back();
}

Memory Places::find(Request& request) {
    const Place* place = nullptr;
    for (std::uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
        std::uint64_t& address = request.address[std::countr_zero(lanes)];
        if (place == nullptr || address < place->begin || address >= place->end)
            place = look_up(address);
        if (place == nullptr) return Memory::other;
        address -= place->origin;
    }
    return place->memory;
}

}  // namespace cuda_on_cpu::count
