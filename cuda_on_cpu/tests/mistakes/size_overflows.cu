// SPDX-License-Identifier: MIT
// says: writes through a null pointer; cudaMalloc at size_overflows.cu:14 was asked for 0 bytes
// says: Remedy: a product of ints that is 4294967296 overflows to 0
#include <cuda_runtime.h>

#include <cstdio>

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

int main() {
    volatile int width = 65536;
    const int height = 65536;
    float* d_out;
    cudaMalloc(&d_out, width * height);
    clear<<<1, 64>>>(d_out);
    std::printf("%d\n", cudaDeviceSynchronize());
    cudaFree(d_out);
}
