// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The memory of one allocation, between pages that cannot be accessed:
//
//     | guard | slack |  the bytes  | slack | guard |
//
// The bytes end where a page ends, up to 15 bytes that alignment costs, so that an access past the
// end stops the thread that makes it. The slack holds a pattern: who writes there is found later.
// Closed memory can be neither read nor written: device memory, while the host runs.
//
// Under ASan it is ordinary memory, which ASan guards to the byte; closed means poisoned.
#pragma once

#include <cstddef>

#include "device/source_line.hpp"

namespace cuda_on_cpu {

/// Whole pages and the guards around them.
struct Pages {
    char* map = nullptr;
    std::size_t map_bytes = 0;  ///< with the guards
    char* data = nullptr;
    std::size_t data_bytes = 0;

    bool contains(const void* address) const { return address >= map && address < map + map_bytes; }
};

class GuardedBytes {
  public:
    /// Closed, and undefined (undefined.hpp) when it is opened first. Throws std::bad_alloc.
    explicit GuardedBytes(std::size_t bytes);
    ~GuardedBytes();
    GuardedBytes(const GuardedBytes&) = delete;
    GuardedBytes& operator=(const GuardedBytes&) = delete;

    char* begin() const { return begin_; }
    char* end() const { return begin_ + bytes_; }
    bool is_open() const { return open_; }
    void open();
    void close();

    /// Bytes, counted from the first and the last of ours, up to the farthest written outside.
    /// Only while it is open.
    struct Damage {
        std::size_t before = 0, behind = 0;
    };
    Damage damage() const;
    /// True where something was written in the nearest 256 bytes: cheap enough for every block.
    bool is_damaged_nearby() const;
    /// Puts the pattern back.
    void repair() const;

    /// True for an address in its pages or its guards.
    bool is_near(const void* address) const { return pages_.contains(address); }

    GuardedBytes* next_open = nullptr;  ///< for a list of what is open
    Frames caller = calling_frames();   ///< who has allocated it
    /// Of cudaMallocPitch: the bytes of a row, and from one to the next; else 0.
    std::size_t row_bytes = 0, pitch = 0;

  private:
    char* slack_begin() const;
    char* slack_end() const { return pages_.data + pages_.data_bytes; }

    Pages pages_;  // none under ASan
    char* begin_ = nullptr;
    std::size_t bytes_;
    bool open_ = false;
    bool fresh_ = true;  // not filled yet
};

/// True for an address in memory that was freed, as long as that is known.
bool was_freed(const void* address);

}  // namespace cuda_on_cpu
