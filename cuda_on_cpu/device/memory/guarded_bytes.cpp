// SPDX-License-Identifier: MIT
#include "device/memory/guarded_bytes.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <new>

#include "device/base/asan.hpp"
#include "device/base/undefined.hpp"

namespace cuda_on_cpu {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}
std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Freed pages are kept for the next allocation of the same number of pages, because mapping and
// touching new ones takes longer than a small kernel. The newest are not reused, so that a use
// after free is noticed.
std::deque<Pages>& kept() {
    static auto& pages = *new std::deque<Pages>;
    return pages;
}
std::size_t kept_bytes = 0;
constexpr std::size_t max_kept = 64, max_kept_bytes = 64 * mib, left_alone = 4;

bool take_kept(std::size_t data_bytes, Pages& pages) {
    for (std::size_t i = 0; i + left_alone < kept().size(); ++i)
        if (kept()[i].data_bytes == data_bytes) {
            pages = kept()[i];
            kept().erase(kept().begin() + static_cast<std::ptrdiff_t>(i));
            kept_bytes -= data_bytes;
            return true;
        }
    return false;
}

// The guards are as wide as a wrong index may reach: out[x * width + y] goes far.
Pages map_pages(std::size_t data_bytes) {
    const std::size_t guard = round_up(std::max(16 * mib, 2 * data_bytes), page_bytes());
    Pages pages;
    pages.map_bytes = guard + data_bytes + guard;
    pages.data_bytes = data_bytes;
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
    void* const map = mmap(nullptr, pages.map_bytes, PROT_NONE, kind | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    pages.map = static_cast<char*>(map);
    pages.data = pages.map + guard;
    if (mmap(pages.data, data_bytes, PROT_READ | PROT_WRITE, kind | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        munmap(map, pages.map_bytes);
        throw std::bad_alloc();
    }
    return pages;
}

void give_back(const Pages& pages) {
    kept().push_back(pages);
    kept_bytes += pages.data_bytes;
    while (kept().size() > max_kept || kept_bytes > max_kept_bytes) {
        kept_bytes -= kept().front().data_bytes;
        munmap(kept().front().map, kept().front().map_bytes);
        kept().pop_front();
    }
}

}  // namespace

GuardedBytes::GuardedBytes(std::size_t bytes) : bytes_(bytes) {
    if (bytes > SIZE_MAX / 16) throw std::bad_alloc();
    if (has_asan()) {
        void* memory = nullptr;
        if (posix_memalign(&memory, 256, bytes) != 0) throw std::bad_alloc();
        begin_ = static_cast<char*>(memory);
        poison(begin_, bytes_);
        return;
    }
    const std::size_t data_bytes = round_up(bytes, page_bytes());
    if (!take_kept(data_bytes, pages_)) {
        pages_ = map_pages(data_bytes);
        open_ = true;
        close();
    }
    // A thread's widest load needs multiples of 16. Rows of whole cache lines stay on those lines.
    begin_ = pages_.data + pages_.data_bytes - round_up(bytes, 16);
}

GuardedBytes::~GuardedBytes() {
    if (has_asan()) {
        unpoison(begin_, bytes_);
        std::free(begin_);
        return;
    }
    close();
    give_back(pages_);
}

void GuardedBytes::open() {
    if (open_) return;
    open_ = true;
    if (has_asan())
        unpoison(begin_, bytes_);
    else
        mprotect(pages_.data, pages_.data_bytes, PROT_READ | PROT_WRITE);
    if (!fresh_) return;
    fresh_ = false;
    if (has_asan())
        fill_undefined(begin_, end());
    else
        fill_undefined(pages_.data, pages_.data + pages_.data_bytes);
}

void GuardedBytes::close() {
    if (!open_) return;
    open_ = false;
    if (has_asan())
        poison(begin_, bytes_);
    else
        mprotect(pages_.data, pages_.data_bytes, PROT_NONE);
}

bool was_freed(const void* address) {
    return std::any_of(kept().begin(), kept().end(),
                       [=](const Pages& pages) { return pages.contains(address); });
}

}  // namespace cuda_on_cpu
