// SPDX-License-Identifier: MIT
// What a copy needs to know about its two sides.
#pragma once

#include <cstddef>

#include "device/memory/stream.hpp"
#include "runtime_types.hpp"

namespace cuda_on_cpu {

/// `height` rows of `width` bytes, each `pitch` bytes after the one before.
struct Rows {
    std::size_t width, height;
    std::size_t to_pitch, from_pitch;
    bool of_symbol = false;  ///< one side is a variable of the device
};

/// How many bytes follow the address in the host's memory; SIZE_MAX if that is unknown. Set by
/// `check`.
inline std::size_t (*host_bytes_left)(const void* address) = nullptr;

/// Checks the copy as CUDA does and adds it to the stream; `wait` waits for it. A copy from
/// pageable memory takes the bytes now; a copy to pageable memory has finished on return.
cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind, bool wait,
                 cudaStream_t stream);

/// cudaMemset and its relatives; `wait`: those without Async, which wait if the host can read the
/// memory.
cudaError_t set_bytes(void* to, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                      cudaStream_t stream, bool wait);

}  // namespace cuda_on_cpu
