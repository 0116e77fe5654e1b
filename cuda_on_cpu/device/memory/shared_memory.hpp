// SPDX-License-Identifier: MIT
// Shared memory is the __shared__ variables of all kernels, which are thread_local (keywords.hpp),
// and an array for the dynamic ones. It is made undefined (undefined.hpp) before every block, so
// that a kernel cannot rely on what it has not written.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "device/base/within.hpp"

namespace cuda_on_cpu {

// The limits of compute capability 9.0, in bytes.
constexpr std::size_t default_shared_bytes = 48 * 1024;
constexpr std::size_t largest_shared_bytes = 227 * 1024;
/// The dynamic shared memory that a launch may ask for: 48 KiB, or what cudaFuncSetAttribute
/// allows.
std::size_t dynamic_limit(const void* kernel);
void set_dynamic_limit(const void* kernel, std::size_t bytes);

/// While it lives, a block has `dynamic_bytes` of dynamic shared memory. The pages after it cannot
/// be used. (ASan reports every byte.)
class SharedMemory {
  public:
    explicit SharedMemory(std::size_t dynamic_bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    /// Makes it undefined, as it is on a GPU when a block begins.
    void forget() const;
    /// Saves the bytes while another block runs in the same memory, and restores them.
    std::vector<char> save() const;
    void restore(const std::vector<char>& bytes) const;

    struct Range {
        char *begin, *end;
    };

  private:
    std::vector<Range> variables_;
    char *dynamic_begin_, *dynamic_end_;
};

/// The two ranges of shared memory of the running kernel: its variables, and the dynamic memory.
struct SharedRange {
    const char *begin, *end;
    bool contains(const void* address) const {
        return within(address, begin, static_cast<std::size_t>(end - begin));
    }
};
std::array<SharedRange, 2> shared_ranges();
/// Whether the address is in shared memory.
bool is_shared(const void* address);
/// "byte 16 of shared memory" or "byte 16 of dynamic shared memory"; for other addresses "an
/// address that is not in shared memory".
std::string byte_of_shared(const void* address);

/// "3 bytes past the end of ..." for an address beside the shared memory; else empty.
Finding describe_shared(const void* address);

}  // namespace cuda_on_cpu
