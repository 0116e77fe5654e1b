// SPDX-License-Identifier: MIT
// says: The host reads d_count, a __device__ variable, by its name at device_variable_read_by_host.cu:14
// says: Remedy: cudaMemcpyFromSymbol(&value, d_count, sizeof value).
#include <cuda_runtime.h>

#include <cstdio>

__device__ int d_count;
__global__ void count() { atomicAdd(&d_count, 1); }

int main() {
    count<<<4, 64>>>();
    cudaDeviceSynchronize();
    const int counted = d_count;
    std::printf("%d\n", counted);
}
