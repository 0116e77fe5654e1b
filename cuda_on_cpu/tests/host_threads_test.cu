// SPDX-License-Identifier: MIT
// The state of each host thread: its current device, its last error, its thread_local variables.
#include <thread>
#include <vector>

#include "../device/base/undefined.hpp"
#include "buffers.hpp"
#include "helpers.hpp"

namespace {

__shared__ unsigned s_first[4];
thread_local unsigned of_host;
thread_local std::vector<unsigned> made_by_host(2, 7);
__shared__ unsigned s_last[4];

/// Each block reads what it has not written.
__device__ void look_and_write(unsigned* out, unsigned* s_tile) {
    out[blockIdx.x] = s_tile[threadIdx.x];
    s_tile[threadIdx.x] = 1;
}
__global__ void with_global_tiles(unsigned* out) {
    look_and_write(out, s_first);
    look_and_write(out + gridDim.x, s_last);
}
template <class T>
__global__ void with_tile_of_template(T* out) {
    __shared__ T s_tile[4];
    look_and_write(out, s_tile);
}

__global__ void set_to_one(int* out) { *out = 1; }

template <class Body>
void in_another_thread(Body body) {
    std::thread(body).join();
}

}  // namespace

TEST_CASE("each thread of the host has a current device") {
    const ScopedSetting devices("CUDA_ON_CPU_DEVICES", "3");
    const FreshDevice fresh;
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    int before = -1, chosen = -1, owner = -1, own = -1;
    in_another_thread([&] {
        cudaGetDevice(&before);
        cudaSetDevice(2);
        int* d_out = nullptr;
        cudaMalloc(&d_out, sizeof(int));
        cudaPointerAttributes attributes{};
        cudaPointerGetAttributes(&attributes, d_out);
        owner = attributes.device;
        cudaGetDevice(&chosen);
        cudaFree(d_out);
    });
    cudaGetDevice(&own);
    CHECK(before == 0);
    CHECK(chosen == 2);
    CHECK(owner == 2);
    CHECK(own == 1);
}

TEST_CASE("each thread of the host has a last error") {
    const FreshDevice fresh;
    CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
    cudaError_t other = cudaErrorUnknown, last = cudaErrorUnknown;
    in_another_thread([&] {
        other = cudaGetLastError();
        set_to_one<<<1, 2000>>>(nullptr);
        last = cudaPeekAtLastError();
    });
    CHECK(other == cudaSuccess);
    CHECK(last == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a host's thread_local variables are no shared memory") {
    const FreshDevice fresh;
    of_host = 5;
    DeviceBuffer<unsigned> d_out(6);
    unsigned out[6];
    with_global_tiles<<<2, 1>>>(d_out.data());
    with_tile_of_template<<<2, 1>>>(d_out.data() + 4);
    d_out.download(out);
    for (const unsigned word : out) CHECK(word == cuda_on_cpu::undefined_word);
    CHECK(of_host == 5);
    CHECK(made_by_host == std::vector<unsigned>{7, 7});
}
