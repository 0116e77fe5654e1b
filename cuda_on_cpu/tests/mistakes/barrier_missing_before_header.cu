// SPDX-License-Identifier: MIT
// The function that reads is in a header, and the compiler puts it into the kernel.
// says: at total.hpp:6
// says: put __syncthreads() between barrier_missing_before_header.cu:12 and barrier_missing_before_header.cu:13.
#include <cuda_runtime.h>

#include <cstdio>

#include "total.hpp"

__global__ void sum_up(int* values, int* out) {
    values[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) *out = total(values, 64);
}

int main() {
    int *d_values, *d_out, out;
    cudaMalloc(&d_values, 64 * sizeof(int));
    cudaMalloc(&d_out, sizeof(int));
    sum_up<<<1, 64>>>(d_values, d_out);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_values);
    cudaFree(d_out);
}
