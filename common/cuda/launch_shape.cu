// SPDX-License-Identifier: MIT
#include <string>

#include "common/base/error.hpp"
#include "common/cuda/backend.hpp"
#include "common/cuda/launch_shape.hpp"

namespace convolab {
namespace {

constexpr std::size_t kMostSharedBytes = 227 * 1024;  // of a block, since compute capability 9.0

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

std::size_t PreparedKernel::shared_bytes_of_device() {
    return static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

void PreparedKernel::check_shared_bytes(std::size_t bytes, std::size_t of_device) {
    if (bytes <= of_device) return;
    const std::string why = "The tile needs " + std::to_string(bytes) +
                            " bytes of shared memory and a block of this device has " +
                            std::to_string(of_device) + ".";
    if (bytes > kMostSharedBytes) throw OverLimit(why);
    throw Unsupported(why);
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

LaunchShape one_block_per_tile(std::int64_t columns, std::int64_t rows, int tile, int side,
                               std::size_t shared_bytes) {
    if (side > 32)
        throw OverLimit("A block of " + std::to_string(side) + " x " + std::to_string(side) +
                        " threads exceeds the limit of 1024 threads; 32 x 32 is the largest.");
    const auto threads = static_cast<unsigned>(side);
    return {dim3(static_cast<unsigned>(ceil_divide(columns, tile)),
                 static_cast<unsigned>(ceil_divide(rows, tile))),
            dim3(threads, threads), shared_bytes};
}

LaunchShape one_thread_each(const Job& job, std::int64_t columns, std::int64_t rows) {
    return one_block_per_tile(columns, rows, job.settings.block, job.settings.block);
}

LaunchShape one_thread_per_pixel(const Job& job) {
    return one_thread_each(job, job.out_width(), job.out_height());
}

std::size_t tile_bytes(const Job& job, std::int64_t side) {
    return static_cast<std::size_t>(side * side * job.image().channels()) * sizeof(float);
}

LaunchShape output_tile(const Job& job, int max_rounds) {
    const int block = job.settings.block;
    const std::int64_t side = block + job.filter.ksize() - 1;
    const std::int64_t threads = static_cast<std::int64_t>(block) * block;
    const std::int64_t largest = side - block + 32;
    const bool larger_helps = largest * largest <= max_rounds * 1024;
    if (max_rounds > 0 && side * side > max_rounds * threads)
        throw Unsupported("A tile of " + std::to_string(side) + " x " + std::to_string(side) +
                          " = " + std::to_string(side * side) +
                          " pixels (block + K - 1) cannot be loaded in " +
                          std::to_string(max_rounds) + " rounds of " + std::to_string(threads) +
                          " threads; use " + (larger_helps ? "a larger block, " : "") +
                          "a smaller filter, or n_batch.");
    return one_block_per_tile(job.out_width(), job.out_height(), block, block,
                              tile_bytes(job, side));
}

LaunchShape tile_with_halo(const Job& job, std::size_t more_bytes) {
    const int tile = job.settings.block;
    const int side = tile + 2 * job.filter.radius();
    if (side > 32)
        throw Unsupported("An output tile of " + std::to_string(tile) + " x " +
                          std::to_string(tile) + " needs a block of " + std::to_string(side) +
                          " x " + std::to_string(side) +
                          " threads (B + 2p), over the limit of 1024; use a smaller " +
                          (side - tile < 32 ? "block." : "filter."));
    return one_block_per_tile(job.out_width(), job.out_height(), tile, side,
                              tile_bytes(job, side) + more_bytes);
}

}  // namespace convolab
