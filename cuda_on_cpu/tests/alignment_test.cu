// SPDX-License-Identifier: MIT
// Accesses to addresses that are not multiples of what their type needs.
#include <cuda_fp16.h>

#include "helpers.hpp"

namespace {

template <class T>
__global__ void read(const char* in, T* out, int offset) {
    *out = *reinterpret_cast<const T*>(in + offset);
}
template <class T>
__global__ void write(char* out, int offset) {
    *reinterpret_cast<T*>(out + offset) = T{};
}
__global__ void add(char* sum, int offset) {
    atomicAdd(reinterpret_cast<float*>(sum + offset), 1.0F);
}
__global__ void exchange(char* value, int offset) {
    atomicCAS(reinterpret_cast<unsigned long long*>(value + offset), 0ULL, 1ULL);
}
__global__ void load(const char* in, double* out, int offset) {
    *out = __ldg(reinterpret_cast<const double*>(in + offset));
}
__global__ void in_dynamic(double* out, int offset) {
    for (int i = 0; i < 64; ++i) dynamic_shared[i] = 0;
    *out = *reinterpret_cast<double*>(dynamic_shared + offset);
}
__global__ void local_array(int* out, int offset) {
    alignas(int) char bytes[64] = {};
    *out = *reinterpret_cast<int*>(bytes + offset);
}
// The elements of these structs need a smaller alignment than the size of the struct.
__global__ void structs(const float* in, float3* out, const char3* small, char3* small_out) {
    *out = *reinterpret_cast<const float3*>(in + 1);
    *small_out = small[1];
}

// Runs a kernel at `offset` and also, correctly, at 0.
template <class Launch>
void expect(const Launch& launch, int offset, const std::string& reported) {
    const FreshDevice fresh;
    char* d_bytes = nullptr;
    cudaMalloc(&d_bytes, 256);
    cudaMemset(d_bytes, 0, 256);
    launch(d_bytes, 0);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    launch(d_bytes, offset);
    CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
    INFO(cuda_on_cpu::last_report());
    CHECK(contains(cuda_on_cpu::last_report(), "thread (0,0,0) " + reported));
    CHECK(contains(cuda_on_cpu::last_report(), __FILE__ ":"));
    CHECK_FALSE(contains(cuda_on_cpu::last_report(), "include/"));  // the emulator's own line
}

template <class T>
void expect_both(const std::string& type, int offset, const std::string& multiple) {
    const std::string rest = "at an address that is not a multiple of " + multiple + ": byte " +
                             std::to_string(offset) + " of argument 1";
    const auto reads = [](char* bytes, int at) {
        read<<<1, 1>>>(bytes, reinterpret_cast<T*>(bytes + 64), at);
    };
    expect(reads, offset, (std::is_class_v<T> ? "uses " : "reads ") + type + " " + rest);
    const auto writes = [](char* bytes, int at) { write<T><<<1, 1>>>(bytes, at); };
    expect(writes, offset, "writes " + type + " " + rest);
}

}  // namespace

#ifndef BUILT_WITH_ASAN  // UBSan's library has its own report
TEST_CASE("a type of two bytes or more needs an address that is a multiple of its size") {
#ifdef __clang__
    const std::string integer;
#else
    const std::string integer = " int";
#endif
    expect_both<short>("a short" + integer, 3, "2");
    expect_both<int>("an int", 2, "4");
    expect_both<float>("a float", 5, "4");
    expect_both<double>("a double", 12, "8");
    expect_both<long long>("a long long" + integer, 4, "8");
#ifndef __clang__  // copies structs without a check
    expect_both<uchar4>("a uchar4", 1, "4");
    expect_both<float2>("a float2", 4, "8");
    expect_both<float4>("a float4", 8, "16");
    expect_both<__half>("a __half", 7, "2");
#endif
}

TEST_CASE("atomic functions, cached loads, shared and local memory also need such an address") {
    expect([](char* bytes, int at) { add<<<1, 1>>>(bytes, at); }, 2,
           "uses an atomic function on 4 bytes at an address that is not a multiple of 4: byte 2");
    expect([](char* bytes, int at) { exchange<<<1, 1>>>(bytes, at); }, 4,
           "uses an atomic function on 8 bytes at an address that is not a multiple of 8: byte 4");
    const auto results = [](char* bytes) { return reinterpret_cast<double*>(bytes + 64); };
    expect([&](char* bytes, int at) { load<<<1, 1>>>(bytes, results(bytes), at); }, 4,
           "reads a double at an address that is not a multiple of 8: byte 4");
    expect(
        [&](char* bytes, int at) { in_dynamic<<<1, 1, 64>>>(results(bytes), at); }, 12,
        "reads a double at an address that is not a multiple of 8: byte 12 of the shared memory");
    expect([](char* bytes, int at) { local_array<<<1, 1>>>(reinterpret_cast<int*>(bytes), at); }, 2,
           "reads an int at an address that is not a multiple of 4, at ");
}

TEST_CASE("a struct needs no more than its elements, and the host may use any address") {
    const FreshDevice fresh;
    DeviceBuffer<float> d_in(8), d_out(8);
    d_in.fill(0);
    structs<<<1, 1>>>(d_in.data(), reinterpret_cast<float3*>(d_out.data()),
                      reinterpret_cast<const char3*>(d_in.data()),
                      reinterpret_cast<char3*>(d_out.data() + 4) + 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    char bytes[8] = {0, 1, 0, 0, 0};
    int* volatile at_one = reinterpret_cast<int*>(bytes + 1);
    CHECK(*at_one == 1);
    CHECK(cuda_on_cpu::last_report().empty());
}

#endif
