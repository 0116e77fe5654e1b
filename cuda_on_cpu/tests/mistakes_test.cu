// SPDX-License-Identifier: MIT
// Barriers that threads miss, assertions, and what AddressSanitizer finds. Other mistakes:
// mistakes/edits.txt.
#include <string>
#include <vector>

#undef NDEBUG
#include <cassert>

#include "helpers.hpp"

namespace {

__global__ void barrier_in_a_branch(int limit) {
    if (static_cast<int>(threadIdx.x + 8 * threadIdx.y) < limit)
        __syncthreads();
    else
        __syncwarp();  // all lanes of the warp
}
constexpr int line_in_a_branch = __LINE__ - 4;
__global__ void nothing() {}
[[maybe_unused]] __global__ void write_at(int* data, long i) { data[i] = 1; }
[[maybe_unused]] __global__ void read_at(const int* data, int* out, long i) { out[0] = data[i]; }
__global__ void assert_small(unsigned limit) { assert(threadIdx.x < limit); }

}  // namespace

TEST_CASE("a barrier that not all threads reach is reported with block, threads and line") {
    for (const char* order : every_order) {
        const ScopedSetting setting("CUDA_ON_CPU_ORDER", order);
        const FreshDevice fresh;
        barrier_in_a_branch<<<{1, 2}, {8, 8}>>>(36);
        CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
        const std::string& text = cuda_on_cpu::last_report();
        INFO(order << ": " << text);
        CHECK(contains(text, ",0) of (1,2,1): not all threads arrive: "));
        CHECK(contains(text, "36 threads, e.g. (0,0,0), wait in __syncthreads at "));
        CHECK(contains(text, "mistakes_test.cu:" + std::to_string(line_in_a_branch)));
        CHECK(contains(text, "28 threads, e.g. (4,4,0), wait in __syncwarp at "));
        CHECK(is_told(cuda_on_cpu::Kind::missed_barrier, "behind a return"));
    }
}

TEST_CASE("after a failed kernel every call fails, until a reset") {
    const FreshDevice fresh;
    barrier_in_a_branch<<<1, 64>>>(1);
    CHECK(cudaGetLastError() == cudaSuccess);  // the host has not waited yet
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

TEST_CASE("assert in a kernel causes cudaErrorAssert, and its message names the thread") {
    const FreshDevice fresh;
    assert_small<<<1, 8>>>(5);
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    CHECK(contains(cuda_on_cpu::last_report(), "thread (5,0,0) fails assert(threadIdx.x < limit)"));
    CHECK(is_told(cuda_on_cpu::Kind::failed_assert));
    const Ending on_host = in_child([] {
        std::signal(SIGABRT, SIG_DFL);  // instead of the test program's handler
        assert(cuda_on_cpu::last_report().empty());
    });
    CHECK(WTERMSIG(on_host.status) == SIGABRT);
    CHECK(contains(on_host.output, "Assertion `cuda_on_cpu::last_report().empty()' failed."));
}

#ifdef BUILT_WITH_ASAN
extern "C" int __lsan_do_recoverable_leak_check();

namespace {
__global__ void wrong_index(int i) {
    __shared__ int s_values[16];
    s_values[i] = 1;
}
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

TEST_CASE("ASan stops the host reading device memory") {
    CHECK(asan_stops([] {
        DeviceBuffer<int> d_data(10);
        d_data.fill(0);
        cudaDeviceSynchronize();
        _exit(*static_cast<volatile int*>(d_data.data()));
    }));
}

TEST_CASE("ASan stops a copy past a host buffer, and names the line of the call first") {
    constexpr int line = __LINE__ + 6;
    for (const bool to_host : {true, false}) {
        const Ending ending = in_child([=] {
            DeviceBuffer<int> d_data(11);
            std::vector<int> host(10);
            d_data.fill(0);
            if (to_host) cudaMemcpy(host.data(), d_data.data(), 44, cudaMemcpyDeviceToHost);
            if (!to_host) cudaMemcpy(d_data.data(), host.data(), 44, cudaMemcpyHostToDevice);
        });
        INFO(ending.output);
        const std::string place = __FILE__ ":" + std::to_string(to_host ? line : line + 1);
        CHECK(contains(ending.output, std::string("a copy ") + (to_host ? "writes" : "reads") +
                                          " past the end of host memory of 40 bytes, at " + place +
                                          ".\n"));
        const auto first = ending.output.find("    #0 ");
        CHECK(
            contains(ending.output.substr(first, ending.output.find('\n', first) - first), place));
        CHECK(contains(ending.output, "AddressSanitizer: heap-buffer-overflow"));
    }
}

TEST_CASE("a kernel that is stopped leaves nothing that leaks") {
    const Ending ending = in_child([] {
        wrong_index<<<1, 1>>>(16);
        cudaDeviceSynchronize();
        if (__lsan_do_recoverable_leak_check() != 0) _exit(1);
    });
    INFO(ending.output);
    CHECK(contains(ending.output, "an array 'int[16]'"));
    CHECK(ending.clean());
}
#endif
