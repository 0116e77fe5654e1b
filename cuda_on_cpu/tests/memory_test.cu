// SPDX-License-Identifier: MIT
// Memory, copies, symbols: what they do, and CUDA's error codes for mistakes.
#include <array>
#include <chrono>
#include <numeric>
#include <vector>

#include "../device/base/undefined.hpp"
#include "helpers.hpp"

namespace {

__constant__ int c_taps[9];
__device__ float d_table[4] = {1, 2, 3, 4};

__global__ void read_constants(int* out) {
    int sum = 0;
    for (int i = 0; i < 9; ++i) sum = 10 * sum + c_taps[i];
    out[threadIdx.x] = sum;
}
__global__ void scale(float* values, float factor) { values[threadIdx.x] *= factor; }

}  // namespace

TEST_CASE("copies in all directions carry every byte") {
    std::vector<int> in(1000), out(1000);
    std::iota(in.begin(), in.end(), 5);
    DeviceBuffer<int> d_a(1000), d_b(1000);
    d_a.upload(in.data());
    CHECK(cudaMemcpy(d_b.data(), d_a.data(), 4000, cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(out.data(), d_b.data(), 4000, cudaMemcpyDefault) == cudaSuccess);
    CHECK(in == out);
    CHECK(cudaMemset(d_b.data() + 10, 1, 8) == cudaSuccess);
    d_b.download(out.data());
    CHECK(out[9] == 14);
    CHECK(out[11] == 0x01010101);
    CHECK(out[12] == 17);
}

TEST_CASE("cudaMemset has ended before the host reads memory that it can read") {
    PinnedBuffer<int> value(2);
    value[0] = value[1] = 1;
    cudaMemsetAsync(value.data() + 1, 0, sizeof(int));
    CHECK(value[1] == 1);
    cudaMemset(value.data(), 0, sizeof(int));
    CHECK(value[0] == 0);
    CHECK(value[1] == 0);
}

TEST_CASE("two-dimensional copies keep to their pitches") {
    unsigned char* d_rows = nullptr;
    std::size_t pitch = 0;
    REQUIRE(cudaMallocPitch(&d_rows, &pitch, 5, 3) == cudaSuccess);
    CHECK(pitch >= 5);
    const unsigned char in[3][6] = {"abcde", "fghij", "klmno"};
    unsigned char out[3][6] = {};
    CHECK(cudaMemset2D(d_rows, pitch, 'x', 5, 3) == cudaSuccess);
    CHECK(cudaMemcpy2D(d_rows, pitch, in, 6, 4, 3, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy2D(out, 6, d_rows, pitch, 5, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(std::string(reinterpret_cast<char*>(out[0])) == "abcdx");
    CHECK(std::string(reinterpret_cast<char*>(out[2])) == "klmnx");
    CHECK(cudaMemcpy2D(d_rows, 3, in, 6, 4, 3, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidPitchValue);
    CHECK(cudaFree(d_rows) == cudaSuccess);
}

TEST_CASE("wrong direction, length and pointer cause cudaErrorInvalidValue") {
    DeviceBuffer<int> d_data(10);
    PinnedBuffer<int> pinned(10);
    std::vector<int> host(20);
    const auto both = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
        const cudaError_t first = cudaMemcpy(to, from, bytes, kind);
        CHECK(cudaMemcpyAsync(to, from, bytes, kind, nullptr) == first);
        cudaGetLastError();
        return first;
    };
    CHECK(both(d_data.data(), host.data(), 40, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(both(host.data(), d_data.data(), 40, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(both(host.data(), d_data.data(), 40, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
    CHECK(both(d_data.data(), host.data(), 41, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(both(d_data.data() + 1, host.data(), 40, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    CHECK(both(nullptr, host.data(), 40, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(both(d_data.data(), pinned.data(), 44, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(both(d_data.data(), host.data(), 40, static_cast<cudaMemcpyKind>(7)) ==
          cudaErrorInvalidMemcpyDirection);
    CHECK(both(d_data.data(), host.data(), 0, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemset(host.data(), 0, 4) == cudaErrorInvalidValue);
    CHECK(cudaMemset(d_data.data(), 0, 44) == cudaErrorInvalidValue);
    CHECK(is_told(cuda_on_cpu::Kind::set_past_end, "its third value counts bytes"));
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("memory can run out, and can be used again once freed") {
    const ScopedSetting setting("CUDA_ON_CPU_MEMORY_MIB", "64");
    const FreshDevice fresh;
    std::size_t free_bytes = 0, total_bytes = 0;
    REQUIRE(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess);
    CHECK(total_bytes == 64U << 20);
    CHECK(free_bytes == total_bytes);
    char *d_a = nullptr, *d_b = nullptr;
    CHECK(cudaMalloc(&d_a, 40 << 20) == cudaSuccess);
    CHECK(cudaMalloc(&d_b, 40 << 20) == cudaErrorMemoryAllocation);
    CHECK(d_b == nullptr);
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess);
    CHECK(free_bytes == 24U << 20);
    CHECK(cudaFree(d_a) == cudaSuccess);
    CHECK(cudaMalloc(&d_b, 40 << 20) == cudaSuccess);
    CHECK(cudaFree(d_b) == cudaSuccess);
    CHECK(cudaMalloc(&d_b, SIZE_MAX - 100) == cudaErrorMemoryAllocation);
}

TEST_CASE("new device memory contains NaN, not zero") {
    DeviceBuffer<unsigned> d_data(3);
    unsigned out[3] = {};
    d_data.download(out);
    CHECK(out[2] == cuda_on_cpu::undefined_word);
}

TEST_CASE("constant memory can be written as a whole, in part, and in a stream") {
    const std::array<int, 9> taps{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int four[2] = {0, 1};
    DeviceBuffer<int> d_out(2);
    int out[2];
    CHECK(cudaMemcpyToSymbol(c_taps, taps.data(), sizeof taps) == cudaSuccess);
    CHECK(cudaMemcpyToSymbolAsync(c_taps, four, 8, 12) == cudaSuccess);
    read_constants<<<1, 2>>>(d_out.data());
    d_out.download(out);
    CHECK(out[1] == 123016789);
    int back[2] = {};
    CHECK(cudaMemcpyFromSymbol(back, c_taps, 8, 28) == cudaSuccess);
    CHECK(back[1] == 9);
    std::size_t bytes = 0;
    CHECK(cudaGetSymbolSize(&bytes, c_taps) == cudaSuccess);
    CHECK(bytes == 36);
}

TEST_CASE("a copy past a symbol, to what is no symbol, or in the wrong direction fails") {
    const int taps[10] = {};
    int local[9] = {};
    static const int read_only[9] = {};
    CHECK(cudaMemcpyToSymbol(c_taps, taps, 40) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(c_taps, taps, 36, 4) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(local, taps, 36) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyToSymbol(read_only, taps, 36) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyToSymbol("c_taps", taps, 4) == cudaErrorInvalidSymbol);
    CHECK(cudaMemcpyToSymbol(c_taps, taps, 36, 0, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidMemcpyDirection);
    cudaGetLastError();
}

TEST_CASE("the address of a __device__ variable can be a kernel argument") {
    float* d_pointer = nullptr;
    REQUIRE(cudaGetSymbolAddress(reinterpret_cast<void**>(&d_pointer), d_table) == cudaSuccess);
    scale<<<1, 4>>>(d_pointer, 2.0F);
    float out[4];
    CHECK(cudaMemcpyFromSymbol(out, d_table, sizeof out) == cudaSuccess);
    CHECK(out[3] == 8);
}

TEST_CASE("each device has its own constants and __device__ variables") {
    const FreshDevice fresh;
    const ScopedSetting devices("CUDA_ON_CPU_DEVICES", "2");
    const auto read = [] {
        DeviceBuffer<int> d_out(1);
        int out = 0;
        read_constants<<<1, 1>>>(d_out.data());
        d_out.download(&out);
        return out;
    };
    const std::array<int, 9> ones{1, 1, 1, 1, 1, 1, 1, 1, 1}, zeros{};
    CHECK(cudaMemcpyToSymbol(c_taps, zeros.data(), sizeof zeros) == cudaSuccess);
    const FreshDevice with_zeros;
    CHECK(cudaMemcpyToSymbol(c_taps, ones.data(), sizeof ones) == cudaSuccess);
    CHECK(read() == 111111111);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    CHECK(read() == 0);
    const int two = 2;
    CHECK(cudaMemcpyToSymbol(c_taps[8], &two, sizeof two) == cudaSuccess);
    CHECK(read() == 2);

    float* d_pointer = nullptr;
    float on_0 = 0, on_1 = 0;
    CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&d_pointer), d_table) == cudaSuccess);
    CHECK(cudaMemset(d_pointer, 0, sizeof d_table) == cudaSuccess);
    CHECK(cudaSetDevice(0) == cudaSuccess);
    CHECK(read() == 111111111);
    CHECK(cudaMemcpy(&on_0, d_pointer + 3, sizeof on_0, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(on_0 > 0);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    CHECK(cudaMemcpyFromSymbol(&on_1, d_table, sizeof on_1, 12) == cudaSuccess);
    CHECK(on_1 == 0);
}

TEST_CASE("pointers have attributes, and host memory can be registered") {
    DeviceBuffer<int> d_data(4);
    PinnedBuffer<int> pinned(4);
    std::vector<int> host(4);
    const auto type = [](const void* p) {
        cudaPointerAttributes attributes{};
        CHECK(cudaPointerGetAttributes(&attributes, p) == cudaSuccess);
        return attributes.type;
    };
    CHECK(type(d_data.data() + 1) == cudaMemoryTypeDevice);
    CHECK(type(pinned.data()) == cudaMemoryTypeHost);
    CHECK(type(host.data()) == cudaMemoryTypeUnregistered);
    CHECK(cudaHostRegister(host.data(), 16, 0) == cudaSuccess);
    CHECK(cudaHostRegister(host.data(), 16, 0) == cudaErrorHostMemoryAlreadyRegistered);
    CHECK(type(host.data()) == cudaMemoryTypeHost);
    CHECK(cudaHostUnregister(host.data()) == cudaSuccess);
    CHECK(cudaHostUnregister(host.data()) == cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
}

TEST_CASE("a copy looks for its line only if it is wrong") {
    DeviceBuffer<char> d(4);
    char h[4] = {};
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < 2000; ++i)
        REQUIRE(cudaMemcpy(d.data(), h, 4, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(2));
}
