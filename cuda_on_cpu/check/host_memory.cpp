// SPDX-License-Identifier: MIT
#include "host_memory.hpp"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "device/memory/allocations.hpp"
#include "device/memory/variables.hpp"
#include "host_heap.hpp"
#include "names.hpp"

namespace cuda_on_cpu::check {
namespace {

// How far behind a pointer to a variable, whose size is not known, the variable may reach.
constexpr std::uintptr_t reach = 4096;

struct Image {
    std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
};
// The first module is the program itself.
int take_image(dl_phdr_info* info, std::size_t, void* result) {
    Image& image = *static_cast<Image*>(result);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        image.begin = std::min<std::uintptr_t>(image.begin, info->dlpi_addr + header.p_vaddr);
        image.end =
            std::max<std::uintptr_t>(image.end, info->dlpi_addr + header.p_vaddr + header.p_memsz);
    }
    return 1;
}

}  // namespace

HostMemory::HostMemory() {
    Image image;
    dl_iterate_phdr(take_image, &image);
    image_begin_ = image.begin;
    image_end_ = image.end;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* stack = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &stack, &bytes);
    pthread_attr_destroy(&attributes);
    stack_begin_ = reinterpret_cast<std::uintptr_t>(stack);
    stack_end_ = stack_begin_ + bytes;
}

// In one of the terabytes where the host's memory is: few numbers are.
bool HostMemory::is_near(std::uintptr_t word) const {
    return word >> 40 == image_begin_ >> 40 || word >> 40 == stack_end_ >> 40;
}

void HostMemory::take(const char* begin, std::size_t bytes) {
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + 7) & ~std::uintptr_t{7};
    const auto last = reinterpret_cast<std::uintptr_t>(begin) + bytes;
    for (std::uintptr_t at = first; at + sizeof(void*) <= last; at += sizeof(void*)) {
        std::uintptr_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
        if (is_near(word)) take(word);
    }
}

void HostMemory::take(std::uintptr_t word) {
    const auto* const address = reinterpret_cast<const char*>(word);
    if (!is_near(word) || find_allocation(address).begin != nullptr) return;
    if (const HostBlock block = host_block(address); block.number != 0)
        targets_[block.begin] = {block.begin + block.bytes, block.number};
    else if (word >= stack_begin_ && word < stack_end_)
        targets_[word] = {std::min(word + reach, stack_end_), 0};
    else if (word >= image_begin_ && word < image_end_ && is_static(address, 1) &&
             find_variable(address) == nullptr)
        targets_[word] = {word + variable_bytes(word), 0};
}

std::string HostMemory::owner_of(std::uintptr_t address) const {
    const auto next = targets_.upper_bound(address);
    if (next == targets_.begin()) return {};
    const auto& [begin, target] = *std::prev(next);
    if (address >= target.end) return {};
    if (target.number == 0) return "a variable of the host";
    // It may have been freed since, and given to somebody else.
    const HostBlock block = host_block(reinterpret_cast<const void*>(address));
    return block.number == target.number ? "the host's memory of " + count_text(block.bytes) : "";
}

bool HostMemory::is_table(std::uintptr_t word) const {
    return word >= image_begin_ && word < image_end_ && is_virtual_table(word);
}

}  // namespace cuda_on_cpu::check
