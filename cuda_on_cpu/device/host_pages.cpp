// SPDX-License-Identifier: MIT
#include "device/host_pages.hpp"

#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <vector>

#include "device/accesses.hpp"
#include "device/block.hpp"
#include "device/memory.hpp"
#include "device/sanitizers.hpp"

namespace cuda_on_cpu {

bool host_pages_are_open = false;

namespace {

using Place = std::uintptr_t;
struct Range {
    Place begin, end;
};
struct Mapping : Range {
    bool is_heap, is_anonymous;
};

// The limits are low, so that a program whose structs also contain pointers for the host loses no
// time.
constexpr std::size_t most_words = 1024, most_pages = 64;
int openings_left = 1000;

/// A word that was given to the device. Data may look like a pointer: an int, and before or after it
/// bytes between a struct's members that still contain half of an old pointer. So a word among data
/// must point to the beginning of a block.
struct Word {
    Place at;
    bool is_data;
    auto operator<=>(const Word&) const = default;
};
std::set<Word>& words() {
    static auto& all = *new std::set<Word>;
    return all;
}
std::vector<Word>& new_words() {
    static auto& all = *new std::vector<Word>;
    return all;
}
// The fault handler reads these, so they must not be on the heap, whose pages may be closed.
struct Target : Range {  // the block that a word points to
    Word word;
};
Target targets[most_words];
std::size_t target_count = 0;
Range pages[most_pages];  // closed while a kernel runs
std::size_t page_count = 0;

// Another CPU thread of the host could pass such an address to the system, which does not open it.
bool is_watched() {
    return observer == nullptr && !has_asan() && !has_tsan() && openings_left > 0 &&
           __libc_single_threaded != 0;
}

Place number(const void* address) { return reinterpret_cast<Place>(address); }

// The terabytes that contain malloc's blocks; few numbers fall into one of them. A large block is a
// separate mapping. It may lie in the terabyte below the stack's, and the next one lower still.
struct Near {
    static Place terabyte(const void* address) { return number(address) >> 40; }
    Place heap, lowest_mapping, stack;
    bool contains(const void* word) const {
        const Place at = terabyte(word);
        return at == heap || (at >= lowest_mapping && at <= stack);
    }
};
const Near& near_host() {
    static const char& on_heap = *new char;
    static const Near near{Near::terabyte(&on_heap), Near::terabyte(&running_block()) - 1,
                           Near::terabyte(environ)};
    return near;
}

std::vector<Mapping> mappings() {
    std::vector<Mapping> all;
    std::FILE* const maps = std::fopen("/proc/self/maps", "r");
    if (maps == nullptr) return all;
    for (char line[512]; std::fgets(line, sizeof line, maps) != nullptr;) {
        unsigned long begin = 0, end = 0, inode = 0;
        char access[8] = {}, name[256] = {};
        if (std::sscanf(line, "%lx-%lx %7s %*s %*s %lu %255s", &begin, &end, access, &inode,
                        name) >= 4 &&
            access[0] == 'r' && access[1] == 'w')
            all.push_back(
                {{begin, end}, std::strcmp(name, "[heap]") == 0, inode == 0 && name[0] == 0});
    }
    std::fclose(maps);
    return all;
}

// glibc's malloc stores the size of a block, with three flags, before the block. Blocks of the heap
// follow each other; a large one is a separate mapping and has flag 2.
std::size_t size_field(Place block) {
    std::size_t size = 0;
    std::memcpy(&size, reinterpret_cast<const void*>(block + 8), sizeof size);
    return size;
}
constexpr std::size_t flags = 7, head_bytes = 16;

Range block_in_heap(Place word, const Mapping& heap) {
    for (Place at = heap.begin; at + head_bytes < heap.end;) {
        const std::size_t size = size_field(at) & ~flags;
        if (size < 2 * head_bytes || size > heap.end - at) break;
        if (word < at + size) return {at + head_bytes, at + size};
        at += size;
    }
    return {0, 0};
}
Range large_block(Place word, const Mapping& mapping) {
    static const auto page = static_cast<Place>(sysconf(_SC_PAGESIZE));
    for (Place at = word / page * page; at >= mapping.begin; at -= page) {
        const std::size_t size = size_field(at) & ~flags;
        if ((size_field(at) & flags) == 2 && size >= page && size % page == 0 && word < at + size &&
            at + size <= mapping.end)
            return {at + head_bytes, at + size};
    }
    return {0, 0};
}

void note(const Word& word) {
    if (words().size() < most_words &&
        find_allocation(reinterpret_cast<const void*>(word.at)).begin == nullptr &&
        words().insert(word).second)
        new_words().push_back(word);
}

void find_target(const Word& word, const std::vector<Mapping>& all) {
    for (const Mapping& mapping : all) {
        if (word.at < mapping.begin || word.at >= mapping.end) continue;
        Range found{0, 0};
        if (mapping.is_heap) found = block_in_heap(word.at, mapping);
        if (mapping.is_anonymous) found = large_block(word.at, mapping);
        const Place end = word.is_data ? found.begin + 1 : found.end;
        if (word.at >= found.begin && word.at < end) targets[target_count++] = {found, word};
    }
}

// Forgets blocks that were freed.
void find_targets() {
    const auto is_gone = [](const Target& target) {
        const Place head = target.begin - head_bytes;
        std::size_t size = 0;  // stays 0 if nothing is mapped there any more
        const iovec to{&size, sizeof size};
        const iovec from{reinterpret_cast<void*>(head + 8), sizeof size};
        process_vm_readv(getpid(), &to, 1, &from, 1, 0);
        return (size & ~flags) != target.end - head;
    };
    for (std::size_t i = 0; i < target_count; ++i)
        while (i < target_count && is_gone(targets[i])) {
            words().erase(targets[i].word);
            targets[i] = targets[--target_count];
        }
    if (new_words().empty()) return;
    const std::vector<Mapping> all = mappings();
    for (const Word& word : new_words())
        if (target_count < most_words) find_target(word, all);
    new_words().clear();
}

// A kernel's printf writes to these buffers, and the system must be able to read them.
bool is_buffer(const Range& page) {
    for (const std::FILE* const file : {stdout, stderr})
        if (number(file->_IO_buf_base) < page.end && number(file->_IO_buf_end) > page.begin)
            return true;
    return false;
}

void protect(int access) {
    for (std::size_t i = 0; i < page_count; ++i)
        mprotect(reinterpret_cast<void*>(pages[i].begin), pages[i].end - pages[i].begin, access);
}

template <class Ranges>
bool is_in(const Ranges& ranges, std::size_t count, const void* address) {
    return std::any_of(ranges, ranges + count, [=](const Range& range) {
        return number(address) >= range.begin && number(address) < range.end;
    });
}

}  // namespace

void note_host_pointers(const void* begin, std::size_t bytes) {
    if (!is_watched()) return;
    const Near near = near_host();
    const char* const end = static_cast<const char*>(begin) + bytes;
    for (const char* at = static_cast<const char*>(begin) + (8 - number(begin) % 8) % 8;
         at + sizeof(void*) <= end; at += sizeof(void*)) {
        const void* word = nullptr;
        std::memcpy(&word, at, sizeof word);
        if (near.contains(word)) note({number(word), true});
    }
}

void note_host_pointer(const void* word) {
    if (is_watched() && near_host().contains(word)) note({number(word), false});
}

std::size_t heap_bytes_left(const void* begin, std::size_t wanted) {
    static int looks_left = 100;
    static const Place heap = [] {
        for (const Mapping& mapping : mappings())
            if (mapping.is_heap) return mapping.begin;
        return ~Place{0};
    }();
    const Place at = number(begin);
    if (has_asan() || at <= heap || at >= number(sbrk(0)) || at % head_bytes != 0) return SIZE_MAX;
    const auto left = [at](Place end) { return end + sizeof end - at; };
    const std::size_t size = size_field(at - head_bytes) & ~flags;
    if (wanted <= left(at - head_bytes + size) || looks_left <= 0) return SIZE_MAX;
    --looks_left;  // this value is a size only if a block begins there
    for (const Mapping& mapping : mappings()) {
        if (!mapping.is_heap || at < mapping.begin || at >= mapping.end) continue;
        const Range block = block_in_heap(at, mapping);
        if (block.begin == at) return left(block.end);
    }
    return SIZE_MAX;
}

HostPages::HostPages() {
    if (!is_watched()) return;
    find_targets();
    page_count = 0;
    const auto page = static_cast<Place>(sysconf(_SC_PAGESIZE));
    for (std::size_t i = 0; i < target_count && page_count < most_pages; ++i) {
        const Range whole{targets[i].begin / page * page,
                          (targets[i].end + page - 1) / page * page};
        if (!is_buffer(whole)) pages[page_count++] = whole;
    }
    close_host_pages();
}

HostPages::~HostPages() {
    open_host_pages();
    host_pages_are_open = false;
    page_count = 0;
}

HostPage open_host_pages(const void* address) {
    if (!is_in(pages, page_count, address)) return HostPage::elsewhere;
    open_host_pages();
    if (--openings_left <= 0) {
        page_count = 0;
        host_pages_are_open = false;
    }
    return is_given_away(address) ? HostPage::given_away : HostPage::beside;
}

void open_host_pages() {
    if (page_count == 0) return;
    protect(PROT_READ | PROT_WRITE);
    host_pages_are_open = true;
}

bool is_given_away(const void* address) { return is_in(targets, target_count, address); }

void close_host_pages() {
    host_pages_are_open = false;
    protect(PROT_NONE);
}

}  // namespace cuda_on_cpu
