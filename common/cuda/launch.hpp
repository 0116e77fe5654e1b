// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Launching a kernel with a check, as a function that every C++ compiler takes:
//
//     launch(blur, grid, block, shared_bytes, stream, d_in, d_out, width, height);
//
// is blur<<<grid, block, shared_bytes, stream>>>(d_in, d_out, width, height) followed by a check.
// `grid` counts blocks, `block` threads; `shared_bytes` is the dynamic shared memory per block. An
// error inside the kernel is reported by the next call that waits for the stream.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>

#include "common/cuda/check.hpp"

namespace convolab {

/// A stream as an argument, with the place of the call.
struct LaunchStream {
    LaunchStream(cudaStream_t stream, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE())
        : stream(stream), file(file), line(line) {}
    cudaStream_t stream;
    const char* file;
    int line;
};

/// Throws Error where CUDA refuses the launch.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
            LaunchStream stream, Arguments&&... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream.stream;
    const cudaError_t error =
        cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
    if (error == cudaSuccess) return;
    const auto text = [](dim3 v) {
        return std::to_string(v.x) + "x" + std::to_string(v.y) + "x" + std::to_string(v.z);
    };
    const std::string call = "the launch of a kernel with " + text(grid) + " blocks of " +
                             text(block) + " threads and " + std::to_string(shared_bytes) +
                             " bytes of dynamic shared memory";
    check(error, call.c_str(), stream.file, stream.line);
}

/// How many blocks of `block` elements cover `size` elements.
constexpr unsigned blocks_for(std::size_t size, unsigned block) {
    return static_cast<unsigned>((size + block - 1) / block);
}

}  // namespace convolab
