// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <string>

#include "common/base/error.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/prepared_kernel.hpp"

namespace convolab {
namespace {

int device_attribute(cudaDeviceAttr attribute) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
    return value;
}

}  // namespace

int PreparedKernel::multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }

void PreparedKernel::check_shape(const LaunchShape& shape, const cudaFuncAttributes& attributes) {
    if (shape.threads_per_block() > static_cast<unsigned>(attributes.maxThreadsPerBlock))
        throw Unsupported("A block of " + std::to_string(shape.block.x) + " x " +
                          std::to_string(shape.block.y) + " threads exceeds the " +
                          std::to_string(attributes.maxThreadsPerBlock) +
                          " that this kernel can have in one block.");
    const auto max_y = static_cast<unsigned>(device_attribute(cudaDevAttrMaxGridDimY));
    if (shape.grid.y > max_y)
        throw OverLimit("The image needs " + std::to_string(shape.grid.y) +
                        " blocks in the grid's y direction and the device has " +
                        std::to_string(max_y) + "; use a larger block.");
}

void PreparedKernel::check_shared_bytes(std::size_t bytes) {
    const auto max_bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    if (bytes > static_cast<std::size_t>(max_bytes))
        throw OverLimit("The tile needs " + std::to_string(bytes) +
                        " bytes of shared memory and a block of this device has " +
                        std::to_string(max_bytes) + ".");
}

void PreparedKernel::note_resources(const cudaFuncAttributes& attributes,
                                    int blocks_per_multiprocessor) {
    resources_.shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shared_bytes);
    if (!gpu_backend().is_timed()) return;  // an emulator has neither registers nor warps to fill
    resources_.registers = attributes.numRegs;
    const auto warp = device_attribute(cudaDevAttrWarpSize);
    const auto threads = static_cast<std::int64_t>(block.x) * block.y * block.z;
    const auto warps = blocks_per_multiprocessor * ceil_divide(threads, warp);
    resources_.occupancy = static_cast<double>(warps * warp) /
                           device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

}  // namespace convolab
