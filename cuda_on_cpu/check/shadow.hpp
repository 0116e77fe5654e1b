// SPDX-License-Identifier: MIT
// The shadow: for each byte that kernels can share, who wrote it last and who has read it since.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/memory/allocations.hpp"

namespace cuda_on_cpu::check {

/// Who, where and when: 16 bytes.
struct Use {
    static constexpr std::uint32_t nobody = 0, host = 1, first_block = 2;
    std::uint32_t code = 0;           ///< in the program, from its beginning
    std::uint32_t block = nobody;     ///< blocks are numbered through all launches
    std::uint32_t barriers : 31 = 0;  ///< of the block, before
    std::uint32_t hides : 1 = 0;  ///< of an atomic one: its block has written there plainly before
    std::uint16_t thread : 10 = 0;
    std::uint16_t atomic : 1 = 0;
    std::uint16_t tested : 1 = 0;   ///< of a write: the thread has read there before
    std::uint16_t is_flag : 1 = 0;  ///< volatile; a write is behind a fence
    /// Of a write: may_keep: it finds the value of the launch or of the last barrier; keeps: and
    /// has left this value as it was.
    std::uint16_t may_keep : 1 = 0;
    std::uint16_t keeps : 1 = 0;
    std::uint16_t is_undefined : 1 = 0;  ///< of a write: it has copied what was never written
    std::uint16_t tick = 0;              ///< of the thread: clock.hpp
};

struct Cell {
    Use write;
    Use reads[2];  ///< by two different threads

    bool is_written() const { return write.block != Use::nobody && write.is_undefined == 0; }
};

/// Cells of one page of memory: one for all of it, as a copy leaves it, until a kernel comes to a
/// part; then for four bytes each, until a smaller access comes.
class Page {
  public:
    static constexpr std::size_t bytes = 4096;

    explicit Page(const Cell& cell) : cells_(1, cell) {}
    /// Calls body(cell, bytes) for each cell of the range; `bytes` is 4096, 4 or 1.
    template <class Body>
    void for_each(std::uintptr_t address, std::size_t count, Body body) {
        while (((address | count) & ((std::size_t{1} << shift_) - 1)) != 0) split();
        const std::size_t first = address % bytes >> shift_;
        for (std::size_t i = 0; i < count >> shift_; ++i)
            body(cells_[first + i], std::size_t{1} << shift_);
    }
    void fill(std::uintptr_t address, std::size_t count, const Cell& cell);

  private:
    void split();
    static constexpr unsigned whole = 12;
    std::vector<Cell> cells_;
    unsigned shift_ = whole;  // of the bytes of a cell
};

/// An allocation, the shared memory or the variables with static storage.
struct Region {
    enum class Kind : std::uint8_t { device, managed, pinned, shared, statics };
    std::uintptr_t begin, end;
    Kind kind;
    std::vector<std::unique_ptr<Page>> pages;
    std::size_t bytes_copied = 0;  ///< to it, by the last copy
    std::size_t row_copied = 0;    ///< by that, in each of several rows: a part
    std::uintptr_t touched = 0;    ///< past the last byte that a kernel has used
    // By the kernel that wrote last:
    Finding kernel;  ///< "kernel blur, launched at lab.cu:12"; empty: none has
    std::uint64_t threads = 0, writes = 0;
    dim3 grid, block;
    std::size_t element_bytes = 0;
    std::size_t group_bytes = 0;  ///< the most that one thread has written in one piece
    std::uintptr_t group_begin = 0, group_end = 0;  ///< where the last thread has done so
    std::uint64_t group_thread = 0;
    std::uintptr_t lowest = 0, highest = 0;  ///< byte, and past it
    std::uint32_t launch = 0;
    bool is_by_atomics = false;  ///< it has used atomic functions, of this memory or other
    bool is_reported = false;    ///< that it has not written all
    mutable bool is_read_unwritten = false;  ///< that was reported
    Finding unwritten_copy;  ///< a copy has brought bytes to the host, never written before
    bool is_used = false;  ///< what a kernel has written: by a kernel or a copy of more than a bit
    Finding partial_copy;  ///< a copy has brought only a bit of it to the host

    Page& page_of(std::uintptr_t address);
    bool is_host_visible() const { return kind == Kind::managed || kind == Kind::pinned; }
    /// Calls body(cell, bytes) for each cell of a range that lies inside.
    template <class Body>
    void for_each(std::uintptr_t address, std::size_t count, Body body) {
        while (count > 0) {
            const std::size_t part = std::min(count, Page::bytes - address % Page::bytes);
            page_of(address).for_each(address, part, body);
            address += part;
            count -= part;
        }
    }
    /// Makes each cell of the range a copy of this one.
    void fill(std::uintptr_t address, std::size_t count, const Cell& cell);
};

class Shadow {
  public:
    Region& add(std::uintptr_t begin, std::size_t bytes, Region::Kind kind);
    bool has(std::uintptr_t begin, std::uintptr_t end) const;
    void remove(std::uintptr_t begin);
    template <class Body>
    void for_each(Body body) const {
        for (const auto& region : regions_) body(*region);
    }
    /// The region that has a byte in the address's page; nullptr if there is none.
    Region* find(std::uintptr_t address) {
        // The product: buffers of one size often lie a multiple of 256 pages apart.
        static_assert(sizeof near_ / sizeof *near_ == 256, "a slot has 8 bits");
        const std::size_t slot = address / Page::bytes * 0x9e3779b97f4a7c15U >> 56U;
        Near& near = near_[slot];
        if (near.page != address / Page::bytes) near = {address / Page::bytes, search(address)};
        return near.region;
    }

  private:
    struct Near {
        std::uintptr_t page = 0;
        Region* region = nullptr;
    };
    Region* search(std::uintptr_t address);
    std::vector<std::unique_ptr<Region>> regions_;  // by address
    Near near_[256];                                // what was found last
};

}  // namespace cuda_on_cpu::check
