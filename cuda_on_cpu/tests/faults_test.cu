// SPDX-License-Identifier: MIT
// Accesses outside a kernel's memory are found where they happen, and reported. For most of them
// ASan has separate messages: mistakes_test.cu.

#include "helpers.hpp"

#ifndef BUILT_WITH_ASAN
namespace {

using cuda_on_cpu::Kind;

__global__ void write_at(int* out, long i) { out[i] = 1; }

#ifdef __x86_64__
__global__ void undefined_instruction() { __builtin_trap(); }
#endif

struct Buffers {
    int width;
    int* d_out;
};
__global__ void write_in_struct(Buffers buffers, int i) { buffers.d_out[i] = buffers.width; }
__global__ void write_by_table(int** d_rows, int i) { d_rows[1][i] = 5; }

__global__ void large_local_array(int* out, int n) {
    volatile int local[100 * 1024];  // 400 KiB; a GPU allows 512
    for (int i = 0; i < n; ++i) local[i] = i + static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = local[n - 1];
}
__device__ int depth_of(volatile int* above, int n) {
    volatile int local[1024];
    local[n % 1024] = above[0] + 1;
    return n == 0 ? local[0] : depth_of(local, n - 1) + local[n % 1024];
}
__global__ void recursion(int* out, int depth) {
    int zero = 0;
    out[0] = depth_of(&zero, depth);
}
__global__ void fill_shared(int n) {
    extern __shared__ int s_values[];
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
        s_values[i] = i;
}

/// The error that the host gets when it waits for the device.
cudaError_t finish() { return cudaDeviceSynchronize(); }
std::string reported() { return cuda_on_cpu::last_report(); }

}  // namespace

TEST_CASE("an access before the beginning of a page or past the end is found at every distance") {
    for (const std::size_t size : {1024, 4096})
        for (const long outside : {-3000000, -1025, -3, -1, 0, 1, 2, 3, 4, 1000, 3000000}) {
            const FreshDevice fresh;
            DeviceBuffer<int> d_out(size);
            const long at = outside < 0 ? outside : static_cast<long>(size) + outside;
            write_at<<<1, 1>>>(d_out.data(), at);
            INFO(size << " ints, written at " << at << ": " << reported());
            CHECK(finish() == cudaErrorIllegalAddress);
            const std::string side = outside < 0 ? "before the beginning of" : "past the end of";
            CHECK(contains(reported(),
                           side + " argument 1, device memory of " + std::to_string(4 * size)));
            CHECK((outside < 0 ? is_told(Kind::before_beginning, "without if (i > 0)")
                               : is_told(Kind::past_end, "if (i < n), not <= n")));
        }
}

TEST_CASE("an invalid pointer is reported") {
    const FreshDevice fresh;
    write_in_struct<<<1, 1>>>(Buffers{1, reinterpret_cast<int*>(0xa5a5a5a5a5a5a5a5)}, 0);
    CHECK(finish() == cudaErrorIllegalAddress);
    CHECK(contains(reported(), "uses an invalid pointer"));
    CHECK(is_told(Kind::unset_pointer, "cudaMalloc was not called for it"));
}

TEST_CASE("a pointer to no memory, and an illegal instruction") {
    const FreshDevice fresh;
    write_in_struct<<<1, 1>>>(Buffers{1, reinterpret_cast<int*>(0x100000000000)}, 0);
    CHECK(finish() == cudaErrorIllegalAddress);
    CHECK(is_told(Kind::outside_allocations, "a pointer that has another value"));
#ifdef __x86_64__
    cudaDeviceReset();
    undefined_instruction<<<1, 1>>>();
    CHECK(finish() == cudaErrorLaunchFailure);
    CHECK(is_told(Kind::illegal_instruction));
#endif
}

TEST_CASE("device pointers in structs and in device memory are followed, and guarded") {
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(4);
    DeviceBuffer<int*> d_rows(2);
    int* const rows[2] = {nullptr, d_out.data()};
    d_rows.upload(rows);
    write_in_struct<<<1, 1>>>(Buffers{7, d_out.data()}, 2);
    write_by_table<<<1, 1>>>(d_rows.data(), 3);
    int out[4];
    d_out.download(out);
    CHECK((out[2] == 7 && out[3] == 5));
    write_by_table<<<1, 1>>>(d_rows.data(), 4);
    CHECK(finish() == cudaErrorIllegalAddress);
    CHECK(contains(reported(), "writes 1 byte past the end of device memory of 16 bytes"));
}

TEST_CASE("a kernel cannot use another device's memory") {
    const ScopedSetting two("CUDA_ON_CPU_DEVICES", "2");
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(4);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    write_in_struct<<<1, 1>>>(Buffers{7, d_out.data()}, 2);
    CHECK(finish() == cudaErrorIllegalAddress);
    CHECK(contains(reported(), "writes byte 8 of "));  // g++: of argument 1
    CHECK(contains(reported(), "device memory of 16 bytes on device 0"));
    CHECK(is_told(Kind::other_device));
}

TEST_CASE("local arrays may be as large as on a GPU; larger ones are reported") {
    const FreshDevice fresh;
    DeviceBuffer<int> d_out(64);
    int out[64];
    large_local_array<<<1, 64>>>(d_out.data(), 100 * 1024);
    d_out.download(out);
    CHECK(out[63] == 100 * 1024 - 1 + 63);
    recursion<<<1, 1>>>(d_out.data(), 50);
    CHECK(finish() == cudaSuccess);
    recursion<<<1, 1>>>(d_out.data(), 5000);
    CHECK(finish() == cudaErrorIllegalAddress);
    CHECK(
        contains(reported(), "thread (0,0,0) overflows its stack of 512 KiB for local variables"));
    CHECK(is_told(Kind::stack_overflow, "calls itself without an end"));
}

TEST_CASE("a launch with too little dynamic shared memory is reported if a page is missing") {
    for (const int asked : {0, 4, 1000, 4096, 5000, 20000})
        for (const int missing : {0, 4096, 20000, 200000}) {
            const FreshDevice fresh;
            fill_shared<<<2, 32, static_cast<std::size_t>(asked)>>>((asked + missing) / 4);
            INFO(asked << " bytes, and " << missing << ": " << reported());
            CHECK(finish() == (missing == 0 ? cudaSuccess : cudaErrorIllegalAddress));
            if (missing == 0) continue;
            CHECK(contains(reported(), "block (0,0,0) of (2,1,1): "));
            CHECK(contains(reported(),
                           " past the end of the dynamic shared memory, for which the launch "
                           "asks for " +
                               std::to_string(asked) + " bytes"));
        }
}

#endif
