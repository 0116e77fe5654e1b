// SPDX-License-Identifier: MIT
// The host copies all the room for a list, and uses as much of it as the kernel has found.
// says: nothing found, with the threads in three orders. Not looked for
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void find(const int* in, int* found, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 5 == 0) found[atomicAdd(count, 1)] = in[i];
}

int main() {
    const int n = 777;
    std::vector<int> in(n), found(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    int *d_in, *d_found, *d_count, count, sum = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_found, n * sizeof(int));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    find<<<4, 256>>>(d_in, d_found, d_count, n);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(found.data(), d_found, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i) sum += found[i];
    std::printf("%d %d\n", count, sum);
    cudaFree(d_in);
    cudaFree(d_found);
    cudaFree(d_count);
}
