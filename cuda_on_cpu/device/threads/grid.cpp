// SPDX-License-Identifier: MIT
#include "device/threads/grid.hpp"

#include <algorithm>

#include "device/base/device.hpp"
#include "device/base/observer.hpp"
#include "device/base/report.hpp"
#include "device/base/settings.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/shared_memory.hpp"
#include "device/threads/block.hpp"

namespace cuda_on_cpu {
namespace {

// Makes this block the running one, in a grid whose blocks wait for each other.
Block& block_of_grid(std::size_t number) {
    static auto& blocks = *new std::vector<Block*>{&running_block()};
    while (blocks.size() <= number) blocks.push_back(new Block);
    return *(block_at_work = blocks[number]);
}

class GridRun {
  public:
    explicit GridRun(const Grid& grid)
        : grid_(grid),
          order_(order_from_environment()),
          count_(std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z),
          access_(grid.addresses, grid.device),
          shared_(grid.dynamic_bytes),
          saved_(grid.cooperative ? count_ : 0) {}

    // Runs every block until it returns or waits for the others. Then it continues the waiting
    // blocks.
    cudaError_t run() {
        const Permutation permutation(order_, count_, ~std::uint64_t{0});
        launch_at_work = &grid_.place;
        gridDim = grid_.blocks;
        const Launch launch{grid_.place,     grid_.blocks,   grid_.threads,    grid_.dynamic_bytes,
                            grid_.addresses, grid_.in_graph, grid_.cooperative};
        tell(&Observer::begin_kernel, launch);
        for (bool first = true; first || waiting_ > 0; first = false) {
            waiting_ = 0;
            if (observer != nullptr && !first) observer->grid_barrier();
            for (std::uint64_t i = 0; i < count_; ++i) {
                const cudaError_t error = run_block(permutation[i], first);
                if (error != cudaSuccess) return error;
            }
            if (waiting_ > 0 && waiting_ < count_)
                return fail(cudaErrorLaunchFailure,
                            {Kind::missed_grid_barrier,
                             std::to_string(waiting_) + " blocks wait in grid.sync, " +
                                 std::to_string(count_ - waiting_) + " have returned"});
        }
        return cudaSuccess;
    }

  private:
    cudaError_t run_block(std::uint64_t number, bool first) {
        const dim3 blocks = grid_.blocks;
        const uint3 index{static_cast<unsigned>(number % blocks.x),
                          static_cast<unsigned>(number / blocks.x % blocks.y),
                          static_cast<unsigned>(number / blocks.x / blocks.y)};
        Block& block = grid_.cooperative ? block_of_grid(number) : running_block();
        if (first)
            shared_.forget();
        else
            shared_.restore(saved_[number]);
        if (observer != nullptr) observer->begin_block(index, number);
        Outcome outcome = first ? block.run(*grid_.call, index, grid_.threads, order_, number)
                                : block.resume(index);
        if (observer != nullptr) observer->end_block();
        if (outcome.waits_for_grid && !grid_.cooperative) {
            block.abandon();
            outcome = {cudaErrorLaunchFailure,
                       {Kind::not_cooperative,
                        "waits in grid.sync, but the launch is not cooperative: it needs "
                        "cudaLaunchCooperativeKernel"}};
        }
        if (outcome.error != cudaSuccess)
            return fail(outcome.error,
                        "block " + text_of(index) + " of " + text_of(blocks) + ": " + outcome.what);
        if (outcome.waits_for_grid) {
            saved_[number] = shared_.save();
            ++waiting_;
        }
        return cudaSuccess;
    }

    cudaError_t fail(cudaError_t error, const Finding& why) const {
        report(Weight::fatal, name_of(grid_.place) + ": " + why + ".");
        for (std::size_t i = 0; i < saved_.size(); ++i) block_of_grid(i).abandon();
        return error;
    }

    const Grid& grid_;
    const Order order_;
    const std::uint64_t count_;
    const DeviceAccess access_;
    const SharedMemory shared_;
    std::vector<std::vector<char>> saved_;  // the shared memory of waiting blocks
    std::uint64_t waiting_ = 0;
};

}  // namespace

cudaError_t run_grid(const Grid& grid) {
    const cudaError_t error = GridRun(grid).run();
    if (observer != nullptr) observer->end_kernel(error);
    return error;
}

int blocks_on_processor(int threads, std::size_t shared_bytes) {
    const int warps = (threads + 31) / 32;
    const std::size_t with_reserve =
        shared_bytes + 1024;  // 1 KiB of each block is reserved for the system
    return std::min({largest_blocks_per_processor, largest_threads_per_processor / 32 / warps,
                     static_cast<int>((largest_shared_bytes + 1024) / with_reserve)});
}

}  // namespace cuda_on_cpu
