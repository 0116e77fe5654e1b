// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The mistakes that a GPU hides, each made on purpose: the emulator must find every one.
#include <string>
#include <vector>

#include "helpers.hpp"

using convolab::DeviceBuffer;

namespace {

__global__ void barrier_in_a_branch(int limit) {
    if (static_cast<int>(threadIdx.x + 8 * threadIdx.y) < limit) __syncthreads();
}
constexpr int line_in_a_branch = __LINE__ - 2;
__global__ void two_barriers() {
    if (threadIdx.x < 5)
        __syncthreads();
    else
        __syncthreads();
}
__global__ void traps(int which) {
    if (static_cast<int>(threadIdx.x) == which) __trap();
    __syncthreads();
}
__global__ void nothing() {}
[[maybe_unused]] __global__ void no_barrier(
    int* out) {  // the barrier between the two lines is missing
    __shared__ int s_tile[64];
    s_tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    out[threadIdx.x] = s_tile[63 - threadIdx.x];
}
// right by chance when threads run in forward order
[[maybe_unused]] __global__ void left_neighbour(int* out) {
    __shared__ int s_tile[64];
    s_tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (threadIdx.x > 0) out[threadIdx.x] = s_tile[threadIdx.x - 1];
}
__global__ void write_at(int* data, long i) { data[i] = 1; }
[[maybe_unused]] __global__ void read_at(const int* data, int* out, long i) { out[0] = data[i]; }
[[maybe_unused]] __global__ void write_dynamic(int i) { dynamic_shared[i] = 1; }

[[maybe_unused]] int wrong_in(const char* order, void (*kernel)(int*), int shift) {
    const Setting setting("CUDA_ON_CPU_ORDER", order);
    DeviceBuffer<int> d_out(64);
    std::vector<int> out(64);
    kernel<<<1, 64>>>(d_out.data());
    d_out.download(out.data());
    int wrong = 0;
    for (int i = 1; i < 64; ++i) wrong += out[i] != (shift == 0 ? 63 - i : i - 1);
    return wrong;
}

}  // namespace

TEST_CASE("a barrier that not all threads reach is reported with block, threads and line") {
    for (const char* order : every_order) {
        const Setting setting("CUDA_ON_CPU_ORDER", order);
        const FreshDevice fresh;
        barrier_in_a_branch<<<{1, 2}, {8, 8}>>>(36);
        CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
        const std::string& text = cuda_on_cpu::last_report();
        INFO(order << ": " << text);
        CHECK(contains(text, ",0) of (1,2,1): not all threads arrive: "));
        CHECK(contains(text, "36 threads, e.g. (0,0,0), wait in __syncthreads at "));
        CHECK(contains(text, "mistakes_test.cu:" + std::to_string(line_in_a_branch)));
        CHECK(contains(text, "28 threads, e.g. (4,4,0), have returned"));
    }
}

TEST_CASE("after a failed kernel every call fails, until a reset") {
    const FreshDevice fresh;
    barrier_in_a_branch<<<1, 64>>>(1);
    CHECK(cudaGetLastError() == cudaSuccess);  // nobody has waited yet
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    int* d_more = nullptr;
    CHECK(cudaMalloc(&d_more, 4) == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaSuccess);  // forgotten, as on a GPU, but the next call fails
    CHECK(cudaMalloc(&d_more, 4) == cudaErrorLaunchFailure);
    cudaDeviceReset();
    CHECK(cudaGetLastError() == cudaSuccess);
    nothing<<<1, 64>>>();
    barrier_in_a_branch<<<1, 64>>>(64);  // the same threads wait properly
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("threads of a block at different barriers are reported") {
    const FreshDevice fresh;
    two_barriers<<<1, 8>>>();
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(contains(cuda_on_cpu::last_report(), "wait at different barriers"));
}

TEST_CASE("__trap is a launch failure") {
    const FreshDevice fresh;
    traps<<<1, 8>>>(3);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(contains(cuda_on_cpu::last_report(), "thread (3,0,0) calls __trap at "));
    cudaDeviceReset();
    traps<<<1, 8>>>(100);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

#ifndef BUILT_WITH_TSAN  // TSan would report these races itself: races_test.cu
TEST_CASE("a missing barrier is wrong in every order, or in another one") {
    CHECK(wrong_in("forward", no_barrier, 0) > 0);
    CHECK(wrong_in("reverse", no_barrier, 0) > 0);
    CHECK(wrong_in("random", no_barrier, 0) > 0);
    CHECK(wrong_in("forward", left_neighbour, 1) == 0);
    CHECK(wrong_in("reverse", left_neighbour, 1) == 63);
    CHECK(wrong_in("random", left_neighbour, 1) > 10);
}
#endif

TEST_CASE("a pointer to ordinary host memory as argument is an illegal address") {
    const FreshDevice fresh;
    int on_host = 0;
    write_at<<<1, 1>>>(&on_host, 0L);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(contains(cuda_on_cpu::last_report(), ": argument 1 is a pointer"));
    CHECK(on_host == 0);
}

TEST_CASE("pinned and managed memory are legal arguments") {
    convolab::PinnedBuffer<int> pinned(2);
    int* managed = nullptr;
    REQUIRE(cudaMallocManaged(&managed, 8) == cudaSuccess);
    write_at<<<1, 1>>>(pinned.data(), 1L);
    write_at<<<1, 1>>>(managed, 1L);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(pinned[1] == 1);
    CHECK(managed[1] == 1);
    CHECK(cudaFree(managed) == cudaSuccess);
}

#ifdef BUILT_WITH_ASAN
namespace {
bool asan_stops(void (*mistake)()) {
    const Ending ending = in_child(mistake);
    INFO(ending.output);
    CHECK_FALSE(ending.clean());
    return contains(ending.output, "AddressSanitizer");
}
}  // namespace

TEST_CASE("ASan stops a write and a read outside global memory") {
    CHECK(in_child([] {
              DeviceBuffer<int> d_data(10);
              write_at<<<1, 1>>>(d_data.data(), 9L);
              cudaDeviceSynchronize();
          }).clean());
    CHECK(asan_stops([] {
        DeviceBuffer<int> d_data(10);
        write_at<<<1, 1>>>(d_data.data(), 10L);
        cudaDeviceSynchronize();
    }));
    CHECK(asan_stops([] {
        DeviceBuffer<int> d_data(10), d_out(1);
        read_at<<<1, 1>>>(d_data.data(), d_out.data(), -1L);
        cudaDeviceSynchronize();
    }));
}

TEST_CASE("ASan stops an access past the requested dynamic shared memory") {
    CHECK(in_child([] {
              write_dynamic<<<1, 1, 64>>>(63);
              cudaDeviceSynchronize();
          }).clean());
    CHECK(asan_stops([] {
        write_dynamic<<<1, 1, 64>>>(64);
        cudaDeviceSynchronize();
    }));
}

TEST_CASE("ASan stops the host reading device memory") {
    CHECK(asan_stops([] {
        DeviceBuffer<int> d_data(10);
        d_data.fill(0);
        cudaDeviceSynchronize();
        _exit(*static_cast<volatile int*>(d_data.data()));
    }));
}

TEST_CASE("ASan stops a copy past a host buffer") {
    CHECK(asan_stops([] {
        DeviceBuffer<int> d_data(11);
        std::vector<int> host(10);
        d_data.fill(0);
        d_data.download(host.data());
    }));
}
#endif
