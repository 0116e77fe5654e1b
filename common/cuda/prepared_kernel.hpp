// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// A variant's main kernel: the shape of its launch, checked before the first one, and the resources
// that it takes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/error.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/launch_shape.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

class PreparedKernel {
  public:
    /// Records the shape of the kernel's launch and its resources, before the first launch; of
    /// several kernels those of the last call are reported. Throws Unsupported where the device
    /// cannot launch it: too many threads, blocks or bytes of shared memory.
    template <class... Parameters>
    void prepare(void (*kernel)(Parameters...), const LaunchShape& shape);

    /// The number of blocks of this many threads that the whole device runs at the same time.
    template <class... Parameters>
    static unsigned resident_blocks(void (*kernel)(Parameters...), int threads,
                                    std::size_t shared_bytes = 0);

    const KernelResources& kernel_resources() const { return resources_; }

    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;

  private:
    static int multiprocessors();
    template <class... Parameters>
    static void allow_shared_bytes(void (*kernel)(Parameters...), std::size_t bytes);
    static void check_shared_bytes(std::size_t bytes);
    static void check_shape(const LaunchShape& shape, const cudaFuncAttributes& attributes);
    void note_resources(const cudaFuncAttributes& attributes, int blocks_per_multiprocessor);

    KernelResources resources_;
};

/// capability: 80 for 8.0, that the kernel's instructions need. Throws Unsupported where the
/// program has no such code for the device.
template <class... Parameters>
void require_capability(void (*kernel)(Parameters...), int capability) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    const auto text = [](int number) {
        return std::to_string(number / 10) + "." + std::to_string(number % 10);
    };
    if (attributes.ptxVersion < capability)
        throw Unsupported("This kernel needs compute capability " + text(capability) +
                          ", and the program has code for " + text(attributes.ptxVersion) +
                          " for this GPU: use a newer one, or build with CUDA_ARCH=native.");
}

template <class... Parameters>
unsigned PreparedKernel::resident_blocks(void (*kernel)(Parameters...), int threads,
                                         std::size_t shared_bytes) {
    int blocks = 0;
    allow_shared_bytes(kernel, shared_bytes);
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
    return static_cast<unsigned>(blocks * multiprocessors());
}

/// Over 48 KiB have to be asked for. The limit is the kernel's, not the job's: another job of the
/// same kernel, which is still to run, keeps what it asked for.
template <class... Parameters>
void PreparedKernel::allow_shared_bytes(void (*kernel)(Parameters...), std::size_t bytes) {
    check_shared_bytes(bytes);
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    if (static_cast<std::int64_t>(bytes) > attributes.maxDynamicSharedSizeBytes)
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bytes)));
}

template <class... Parameters>
void PreparedKernel::prepare(void (*kernel)(Parameters...), const LaunchShape& shape) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    check_shape(shape, attributes);
    allow_shared_bytes(kernel, shape.shared_bytes);
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, static_cast<int>(shape.threads_per_block()), shape.shared_bytes));
    grid = shape.grid;
    block = shape.block;
    shared_bytes = shape.shared_bytes;
    note_resources(attributes, blocks);
}

}  // namespace convolab
