// SPDX-License-Identifier: MIT
// What a copy needs to know about its two sides.
#pragma once

#include <cstddef>

#include "device/stream.hpp"
#include "runtime_types.hpp"

namespace cuda_on_cpu {

/// `height` rows of `width` bytes, each `pitch` bytes after the one before.
struct Rows {
    std::size_t width, height;
    std::size_t to_pitch, from_pitch;
};

/// Reports and returns false if the two pointers do not fit the direction.
bool is_direction_right(const void* to, const void* from, cudaMemcpyKind kind);

/// How many bytes follow the address in the host's memory; SIZE_MAX if that is unknown. Set by
/// `check`.
inline std::size_t (*host_bytes_left)(const void* address) = nullptr;

/// Checks the copy as CUDA does and adds it to the stream; `wait` waits for it. A copy from
/// pageable memory takes the bytes now; a copy to pageable memory has finished on return.
cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind, bool wait,
                 cudaStream_t stream);

}  // namespace cuda_on_cpu
