// SPDX-License-Identifier: MIT
// Cooperative groups and cooperative launches.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "helpers.hpp"

namespace cg = cooperative_groups;

namespace {

template <class Kernel, class... Arguments>
std::vector<int> results_of(Kernel kernel, int blocks, int threads, Arguments... arguments) {
    DeviceBuffer<int> d_out(static_cast<std::size_t>(blocks * threads));
    d_out.fill(0xff);
    kernel<<<blocks, threads>>>(d_out.data(), arguments...);
    std::vector<int> out(d_out.size());
    d_out.download(out.data());
    return out;
}

// ---- lanes
template <unsigned Size>
__global__ void sum_of_tile(int* out) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    out[threadIdx.x] = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
}

__global__ void shuffles(int* out) {
    const auto tile = cg::tiled_partition<8>(cg::tiled_partition<16>(cg::this_thread_block()));
    const int rank = static_cast<int>(tile.thread_rank());
    int code = tile.shfl(rank, 3);
    code = code * 10 + tile.shfl_down(rank, 2);
    code = code * 10 + tile.shfl_up(rank, 2);
    code = code * 10 + tile.shfl_xor(rank, 1);
    out[threadIdx.x] = code * 10 + static_cast<int>(tile.meta_group_rank());
}

// A struct of 12 bytes is exchanged in two steps.
__global__ void shuffle_struct(int* out) {
    struct Three {
        int a, b, c;
    };
    const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    const int i = static_cast<int>(threadIdx.x);
    const Three three = tile.shfl(Three{i, i * 10, i * 100}, 1);
    out[threadIdx.x] = three.a + three.b + three.c;
}

__global__ void lanes_of_branches(int* out) {
    const int i = static_cast<int>(threadIdx.x);
    if (i % 3 == 0) {
        const cg::coalesced_group group = cg::coalesced_threads();
        out[i] = static_cast<int>(group.size() * 100 + group.thread_rank());
    } else {
        const auto group = cg::coalesced_threads();
        out[i] = -group.shfl(i, 0) - static_cast<int>(group.ballot(i % 3 == 1) & 3U) * 100;
    }
}

__global__ void groups_of_labels(int* out) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const auto group = cg::labeled_partition(tile, static_cast<int>(threadIdx.x) % 5);
    out[threadIdx.x] = static_cast<int>(cg::exclusive_scan(group, 1) * 100 + group.size());
}

__device__ int sum_in(const cg::thread_group& group, int* scratch, int value) {
    const auto rank = group.thread_rank();
    for (auto step = group.size() / 2; step > 0; step /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < step) value += scratch[rank + step];
        group.sync();
    }
    return value;
}
__global__ void sums_of_any_group(int* out) {
    __shared__ int s_scratch[64];
    const cg::thread_block block = cg::this_thread_block();
    const int all = sum_in(block, s_scratch, 1);
    const cg::thread_group quarter = cg::tiled_partition(block, 16);
    const int part = sum_in(quarter, s_scratch + threadIdx.x / 16 * 16, 1);
    out[threadIdx.x] = all * 100 + part;
}

// ---- the grid
// Each block keeps a number in its shared memory while the others run.
__global__ void sum_of_grid(int* total, int* out) {
    __shared__ int s_number;
    extern __shared__ int s_dynamic[];
    const cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) {
        s_number = static_cast<int>(blockIdx.x);
        s_dynamic[0] = 1000;
        atomicAdd(total, 1 << blockIdx.x);
    }
    grid.sync();
    const int first = *total;
    grid.sync();
    if (grid.thread_rank() == 0) *total = 7;
    cg::sync(grid);
    out[grid.thread_rank()] = first + s_number * 100 + s_dynamic[0] * *total;
}

cudaError_t launch_sum(int blocks, int threads, int* total, int* out) {
    void* arguments[] = {&total, &out};
    return cudaLaunchCooperativeKernel((void*)sum_of_grid, blocks, threads, arguments, 4);
}

}  // namespace

TEST_CASE("a tile reduces the values of its threads") {
    const auto check = [](auto kernel, int size) {
        const std::vector<int> sums = results_of(kernel, 1, 128);
        for (int i = 0; i < 128; ++i) {
            const int first = i / size * size;
            CHECK(sums[static_cast<std::size_t>(i)] == size * first + size * (size - 1) / 2);
        }
    };
    check(sum_of_tile<1>, 1);
    check(sum_of_tile<4>, 4);
    check(sum_of_tile<32>, 32);
    check(sum_of_tile<64>, 64);  // of two warps
    check(sum_of_tile<128>, 128);
}

TEST_CASE("a tile shuffles among its own threads") {
    const std::vector<int> codes = results_of(shuffles, 1, 16);
    CHECK(codes[0] == 32010);
    CHECK(codes[7] == 37560);
    CHECK(codes[9] == 33101);
    CHECK(results_of(shuffle_struct, 1, 8)[7] == 5 * 111);
}

TEST_CASE("coalesced threads are those that took the same branch") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const std::vector<int> out = results_of(lanes_of_branches, 1, 32);
        CHECK(out[0] == 1100);  // 0, 3, ... 30
        CHECK(out[30] == 1110);
        CHECK(out[1] == -101);  // 1, 2, 4, 5, ...: of the first two only the first
        CHECK(out[31] == -101);
    }
    const std::vector<int> labels = results_of(groups_of_labels, 1, 32);
    CHECK(labels[0] == 7);
    CHECK(labels[31] == 607);
    CHECK(labels[14] == 206);
}

TEST_CASE("a function takes any group of threads") {
    CHECK(results_of(sums_of_any_group, 1, 64)[0] == 6416);
    CHECK(results_of(sums_of_any_group, 1, 64)[16] % 100 == 16);
}

TEST_CASE("the blocks of a cooperative launch wait for each other") {
    const FreshDevice fresh;
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        DeviceBuffer<int> d_total(1), d_out(5 * 40);
        d_total.fill(0);
        REQUIRE(launch_sum(5, 40, d_total.data(), d_out.data()) == cudaSuccess);
        std::vector<int> out(200);
        d_out.download(out.data());
        for (int i = 0; i < 200; ++i)
            CHECK(out[static_cast<std::size_t>(i)] == 31 + i / 40 * 100 + 7000);
    }
}

TEST_CASE(
    "a grid that is too large is rejected; blocks that grid.sync has stopped can be used again") {
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(40);
    CHECK(launch_sum(1000, 1024, d_out.data(), d_out.data()) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(is_told(cuda_on_cpu::Kind::too_many_blocks));
    sum_of_grid<<<2, 20, 4>>>(d_out.data(), d_out.data());
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    cudaDeviceReset();
    DeviceBuffer<int> d_zero(1), d_good(40);
    d_zero.fill(0);
    CHECK(launch_sum(2, 20, d_zero.data(), d_good.data()) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}
