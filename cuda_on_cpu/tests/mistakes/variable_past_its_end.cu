// SPDX-License-Identifier: MIT
// says: thread (4,0,0) writes 1 byte past the end of d_sums, a __device__ variable of 16 bytes, at variable_past_its_end.cu:11.
// says: Remedy: the index is 0 or more
#include <cuda_runtime.h>

#include <cstdio>

__device__ float d_sums[4], d_others[4];

__global__ void square(float* sums, int n) {
    if (int(threadIdx.x) <= n) sums[threadIdx.x] = threadIdx.x * threadIdx.x;
}

int main() {
    float *d_address, sums[4];
    cudaGetSymbolAddress((void**)&d_address, d_sums);
    square<<<1, 32>>>(d_address, 4);
    cudaMemcpyFromSymbol(sums, d_sums, sizeof sums);
    std::printf("%g\n", double(sums[3]));
}
