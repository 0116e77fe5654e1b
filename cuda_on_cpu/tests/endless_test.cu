// SPDX-License-Identifier: MIT
// Kernels that never end are stopped and reported; slow ones are not.
#include <ctime>

#include "helpers.hpp"

namespace {

[[maybe_unused]] __global__ void waits_for_a_flag(volatile int* flag) {  // the flag is never set
    if (threadIdx.x != 3 || blockIdx.x != 1) return;
    while (*flag != 1) {
    }
}
[[maybe_unused]] __global__ void halves_nothing(int* out, int n) {  // the defect: s never changes
    const int s = n;
    while (s > 0) __syncthreads();
    out[0] = 1;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

__global__ void takes_long(int* out, double seconds) {
    const double begin = processor_seconds();
    while (processor_seconds() - begin < seconds) {
    }
    out[threadIdx.x] = 1;
}
__global__ void takes_long_between_barriers(int* out, double seconds, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        const double begin = processor_seconds();
        while (processor_seconds() - begin < seconds) {
        }
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}

}  // namespace

TEST_CASE("a thread that never ends is stopped and named") {
    const ScopedSetting timeout("CUDA_ON_CPU_TIMEOUT", "1");
    const FreshDevice fresh;
    DeviceBuffer<int> d_flag(1);
    d_flag.fill(0);
    waits_for_a_flag<<<2, 32>>>(d_flag.data());
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    const std::string& text = cuda_on_cpu::last_report();
    INFO(text);
    CHECK(contains(text,
                   "block (1,0,0) of (2,1,1): thread (3,0,0) has run for 1 s without returning "
                   "or waiting for others"));
    CHECK(contains(text, "(CUDA_ON_CPU_TIMEOUT)"));
    cudaDeviceReset();
    DeviceBuffer<int> d_out(1);
    takes_long<<<1, 1>>>(d_out.data(), 0.01);  // the device works again
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("threads that wait for each other forever are stopped and named") {
    const ScopedSetting timeout("CUDA_ON_CPU_TIMEOUT", "1");
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(1);
    const double begin = processor_seconds();
    halves_nothing<<<1, 64>>>(d_out.data(), 64);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    CHECK(processor_seconds() - begin > 2);
    const std::string& text = cuda_on_cpu::last_report();
    INFO(text);
    CHECK(contains(text, "waits in __syncthreads at "));
    CHECK(contains(text, "but no thread has returned for 3 s"));
    CHECK(is_told(cuda_on_cpu::Kind::endless, "a loop that does not end"));
}

TEST_CASE("a slow kernel that makes progress is not stopped") {
    const ScopedSetting timeout("CUDA_ON_CPU_TIMEOUT", "1");
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(8);
    takes_long<<<1, 8>>>(d_out.data(), 0.2);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    takes_long_between_barriers<<<1, 4>>>(d_out.data(), 0.2, 2);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("invalid settings end the program with an error message") {
    for (const auto& [name, value] : {std::pair{"CUDA_ON_CPU_TIMEOUT", "-1"},
                                      {"CUDA_ON_CPU_TIMEOUT", "soon"},
                                      {"CUDA_ON_CPU_MEMORY_MIB", "-64"},
                                      {"CUDA_ON_CPU_DEVICES", "1.5"}}) {
        const ScopedSetting setting(name, value);
        const Ending ending = in_child([] {
            cudaSetDevice(0);
            DeviceBuffer<int> d_out(1);
            takes_long<<<1, 1>>>(d_out.data(), 0.0);
            cudaDeviceSynchronize();
        });
        INFO(name << '=' << value << ": " << ending.output);
        CHECK((WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 2));
        CHECK(
            contains(ending.output, std::string(name) + " is '" + value + "': expected a number"));
    }
}
