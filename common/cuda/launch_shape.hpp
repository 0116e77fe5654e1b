// SPDX-License-Identifier: MIT
// The shape of a launch, kernel<<<grid, block, shared_bytes>>>, and a variant's main kernel with its
// shape, checked before the first launch. B is the block setting.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/division.hpp"
#include "common/base/error.hpp"
#include "common/cuda/check.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;

    unsigned threads_per_block() const { return block.x * block.y * block.z; }
};

/// The number of blocks that cover the elements, at `per_block` elements per block.
constexpr unsigned blocks_for(std::int64_t elements, std::int64_t per_block) {
    return static_cast<unsigned>(ceil_divide(elements, per_block));
}

/// Blocks of side x side threads, one block for each tile x tile pixels of columns x rows. Throws
/// Unsupported where a block has more than 1024 threads.
LaunchShape one_block_per_tile(std::int64_t columns, std::int64_t rows, int tile, int side,
                               std::size_t shared_bytes = 0);

/// Blocks of B x B threads, one thread for each of columns x rows, or for each output pixel.
LaunchShape one_thread_each(const Job& job, std::int64_t columns, std::int64_t rows);
LaunchShape one_thread_per_pixel(const Job& job);

/// Bytes of a tile of side x side pixels in planes of floats.
std::size_t tile_bytes(const Job& job, std::int64_t side);

/// B x B threads, one for each output pixel, and a tile of (B + K - 1)^2 pixels. Throws Unsupported
/// where the B^2 threads cannot load it in max_rounds rounds; 0: no limit.
LaunchShape output_tile(const Job& job, int max_rounds);

/// (B + 2p)^2 threads, one for each pixel that an output tile of B x B needs.
LaunchShape tile_with_halo(const Job& job, std::size_t more_bytes = 0);

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

    /// of_device: the most that a block of the device can have. Throws Unsupported where it is too
    /// little, OverLimit where it is on every GPU.
    static void check_shared_bytes(std::size_t bytes, std::size_t of_device);

    const KernelResources& kernel_resources() const { return resources_; }

    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;

  private:
    static int multiprocessors();
    template <class... Parameters>
    static void allow_shared_bytes(void (*kernel)(Parameters...), std::size_t bytes);
    static std::size_t shared_bytes_of_device();
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
    check_shared_bytes(bytes, shared_bytes_of_device());
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
