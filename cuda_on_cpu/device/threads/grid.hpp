// SPDX-License-Identifier: MIT
// Runs the blocks of a grid one after another; those of a cooperative launch take turns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel_launch.hpp"

namespace cuda_on_cpu {

/// A launch that passed the checks.
struct Grid {
    dim3 blocks, threads;
    std::size_t dynamic_bytes;
    bool cooperative;
    std::shared_ptr<const KernelCall> call;
    std::vector<Address> addresses;
    int device;
    LaunchPlace place;
    bool in_graph;
};

cudaError_t run_grid(const Grid& grid);
/// How many such blocks a multiprocessor holds at once.
int blocks_on_processor(int threads, std::size_t shared_bytes);

}  // namespace cuda_on_cpu
