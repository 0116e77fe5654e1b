// SPDX-License-Identifier: MIT
// The memory of one allocation lies between pages that cannot be accessed:
//
//     | guard | slack |  the bytes  | slack | guard |
//
// The bytes end at the end of a page (up to 15 bytes may follow for alignment), so that an access
// past the end stops the thread that makes it. `cuda-on-cpu check` finds one in the slack, too.
// Closed memory can be neither read nor written; device memory is closed while the host runs.
//
// Under ASan it is ordinary memory, which ASan guards to the byte; closing it poisons it.
#pragma once

#include <cstddef>

#include "device/base/source_line.hpp"
#include "device/base/within.hpp"

namespace cuda_on_cpu {

/// Whole pages and the guards around them.
struct Pages {
    char* map = nullptr;
    std::size_t map_bytes = 0;  ///< with the guards
    char* data = nullptr;
    std::size_t data_bytes = 0;

    bool contains(const void* address) const { return within(address, map, map_bytes); }
};

class GuardedBytes {
  public:
    /// The new memory is closed. It is filled as undefined (undefined.hpp) when it is first opened.
    /// Throws std::bad_alloc.
    explicit GuardedBytes(std::size_t bytes);
    ~GuardedBytes();
    GuardedBytes(const GuardedBytes&) = delete;
    GuardedBytes& operator=(const GuardedBytes&) = delete;

    char* begin() const { return begin_; }
    char* end() const { return begin_ + bytes_; }
    bool is_open() const { return open_; }
    void open();
    void close();

    /// True for an address in its pages or its guards.
    bool is_near(const void* address) const { return pages_.contains(address); }

    GuardedBytes* next_open = nullptr;  ///< for a list of open memory
    Frames caller = calling_frames();   ///< the call that allocated it
    /// For cudaMallocPitch: a row's bytes, and the distance between rows; else 0.
    std::size_t row_bytes = 0, pitch = 0;
    bool has_texture = false;  ///< or had one

  private:
    Pages pages_;  // none under ASan
    char* begin_ = nullptr;
    std::size_t bytes_;
    bool open_ = false;
    bool fresh_ = true;  // not filled yet
};

/// True for an address in freed memory, as long as the emulator remembers it.
bool was_freed(const void* address);

}  // namespace cuda_on_cpu
