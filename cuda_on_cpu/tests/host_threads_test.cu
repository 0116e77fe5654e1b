// SPDX-License-Identifier: MIT
// The state of each host thread: its current device and its last error.
#include <thread>

#include "helpers.hpp"

namespace {

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
