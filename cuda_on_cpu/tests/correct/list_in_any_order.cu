// SPDX-License-Identifier: MIT
// An atomic counter hands out the places of a list, whose order is another one in each run.
// says: nothing found, with the threads in three orders. Note: With its threads and streams in
// says: If an atomic function hands out the places of a list
#include <cuda_runtime.h>

#include <cstdio>

__global__ void find(const int* in, int* found, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 5 == 0) found[atomicAdd(count, 1)] = in[i];
}

int main() {
    const int n = 700;
    int in[n], found[n / 5], *d_in, *d_found, *d_count;
    for (int i = 0; i < n; ++i) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_found, sizeof found);
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    find<<<4, 256>>>(d_in, d_found, d_count, n);
    cudaMemcpy(found, d_found, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("the first is %d\n", found[0]);
    cudaFree(d_in);
    cudaFree(d_found);
    cudaFree(d_count);
}
