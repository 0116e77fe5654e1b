// SPDX-License-Identifier: MIT
// Launches that CUDA rejects, and the properties of the device.
#include <string>

#include "helpers.hpp"

namespace {

__global__ void nothing(int) {}
__global__ void last_byte(unsigned char* out, int bytes) {
    dynamic_shared[bytes - 1] = 42;
    out[0] = dynamic_shared[bytes - 1];
}

cudaError_t try_launch(dim3 grid, dim3 block, std::size_t bytes = 0,
                       cudaStream_t stream = nullptr) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    const cudaError_t error = cudaLaunchKernelEx(&config, nothing, 1);
    cudaGetLastError();
    return error;
}

__global__ void add(int* out, int a, float b, int c = 100) { *out = a + static_cast<int>(b) + c; }

__global__ void launches(int* out) { add<<<1, 1>>>(out, 1, 2); }

}  // namespace

TEST_CASE("launches beyond the limits fail with CUDA's error codes") {
    CHECK(try_launch(1, 1024) == cudaSuccess);
    CHECK(try_launch(1, 1025) == cudaErrorInvalidValue);
    CHECK(try_launch(1, {33, 32}) == cudaErrorInvalidValue);
    CHECK(try_launch(1, {1, 1, 65}) == cudaErrorInvalidValue);
    CHECK(try_launch(1, {65536, 65536, 1}) == cudaErrorInvalidValue);
    CHECK(try_launch(1, 0) == cudaErrorInvalidValue);
    CHECK(try_launch(0, 1) == cudaErrorInvalidValue);
    CHECK(try_launch({1, 0}, 1) == cudaErrorInvalidValue);
    CHECK(try_launch({1, 65536}, 1) == cudaErrorInvalidValue);
    CHECK(try_launch({1, 1, 65536}, 1) == cudaErrorInvalidValue);
    CHECK(try_launch(2147483648U, 1) == cudaErrorInvalidValue);
    CHECK(try_launch(1, 1, 48 * 1024) == cudaSuccess);
    CHECK(try_launch(1, 1, 48 * 1024 + 1) == cudaErrorInvalidValue);
    CHECK(try_launch(1, 1, 0, reinterpret_cast<cudaStream_t>(0x123)) ==
          cudaErrorInvalidResourceHandle);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a wrong launch in a loop is reported once, and again after another mistake") {
    FreshDevice device;
    std::FILE* const reported = std::tmpfile();
    REQUIRE(reported != nullptr);
    const int standard = dup(STDERR_FILENO);
    dup2(fileno(reported), STDERR_FILENO);
    for (const unsigned threads : {2000U, 2000U, 2000U, 3000U, 2000U}) nothing<<<1, threads>>>(1);
    dup2(standard, STDERR_FILENO);
    close(standard);
    cudaGetLastError();
    std::rewind(reported);
    int lines = 0;
    for (int c = std::fgetc(reported); c != EOF; c = std::fgetc(reported)) lines += c == '\n';
    std::fclose(reported);
    CHECK(lines == 3);
}

TEST_CASE("a kernel must ask for more than 48 KiB of dynamic shared memory") {
    DeviceBuffer<unsigned char> d_out(1);
    const int bytes = 100 * 1024;
    last_byte<<<1, 1, bytes>>>(d_out.data(), bytes);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(last_byte, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) ==
          cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(last_byte, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) ==
          cudaSuccess);
    last_byte<<<1, 1, bytes>>>(d_out.data(), bytes);
    unsigned char out = 0;
    d_out.download(&out);
    CHECK(out == 42);
    cudaFuncAttributes attributes{};
    CHECK(cudaFuncGetAttributes(&attributes, last_byte) == cudaSuccess);
    CHECK(attributes.maxDynamicSharedSizeBytes == bytes);
    CHECK(attributes.maxThreadsPerBlock == 1024);
    CHECK(attributes.numRegs == 0);
    cudaGetLastError();
}

TEST_CASE("a launch inside a kernel is an error") {
    FreshDevice device;
    DeviceBuffer<int> d_out(1);
    launches<<<1, 1>>>(d_out.data());
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorNotSupported);
}

TEST_CASE("a kernel's default arguments, and a launch with an array of arguments") {
    DeviceBuffer<int> d_out(1);
    int out = 0;
    add<<<1, 1>>>(d_out.data(), 1, 2);
    d_out.download(&out);
    CHECK(out == 103);
    int *pointer = d_out.data(), a = 10, c = 30;
    float b = 20;
    void* arguments[] = {&pointer, &a, &b, &c};
    REQUIRE(cudaLaunchKernel((const void*)add, 1, 1, arguments) == cudaSuccess);
    a = 0;  // the launch has taken the value
    d_out.download(&out);
    CHECK(out == 60);
}

TEST_CASE("occupancy follows from threads and shared memory") {
    int blocks = -1;
    const auto ask = [&](int threads, std::size_t bytes) {
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, threads, bytes) ==
              cudaSuccess);
        return blocks;
    };
    CHECK(ask(256, 0) == 8);
    CHECK(ask(1024, 0) == 2);
    CHECK(ask(32, 0) == 32);
    CHECK(ask(32, 48 * 1024) == 4);
    CHECK(ask(1025, 0) == 0);
}

TEST_CASE("the device describes itself, and there is one") {
    cudaDeviceProp properties{};
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(std::string(properties.name) == "CUDA on the CPU");
    CHECK((properties.major == 9 && properties.minor == 0));
    int value = 0;
    CHECK(cudaRuntimeGetVersion(&value) == cudaSuccess);
    CHECK(value == 13000);
    CHECK(cudaGetDeviceCount(&value) == cudaSuccess);
    CHECK(value == 1);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess);
    CHECK(value == 32);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(127), 0) ==
          cudaErrorInvalidValue);
    CHECK(cudaChooseDevice(&value, &properties) == cudaSuccess);
    CHECK(value == 0);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    CHECK(std::string(cudaGetErrorName(cudaErrorInvalidDevice)) == "cudaErrorInvalidDevice");
    CHECK(std::string(cudaGetErrorString(static_cast<cudaError_t>(12345))) ==
          "unrecognized error code");
    cudaGetLastError();
}

TEST_CASE("calls of older programs, and hints that change nothing") {
    CHECK(cudaThreadSynchronize() == cudaSuccess);
    cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
    CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
    CHECK(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess);
    CHECK(banks == cudaSharedMemBankSizeFourByte);
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared) == cudaSuccess);
    CHECK(cudaThreadExit() == cudaSuccess);
}

TEST_CASE("a hidden device causes cudaErrorNoDevice") {
    const ScopedSetting hidden("CUDA_VISIBLE_DEVICES", "");
    int count = -1;
    CHECK(cudaGetDeviceCount(&count) == cudaErrorNoDevice);
    CHECK(count == 0);
    int* d_data = nullptr;
    CHECK(cudaMalloc(&d_data, 4) == cudaErrorNoDevice);
    cudaGetLastError();
}
