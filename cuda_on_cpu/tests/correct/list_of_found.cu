// SPDX-License-Identifier: MIT
// The host copies all the room for a list, and uses as much of it as the kernel has found.
#include <cstdio>

__global__ void find(const int* in, int* found, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 5 == 0) found[atomicAdd(count, 1)] = in[i];
}

int main() {
    const int n = 700;
    int in[n], found[n], count, sum = 0, *d_in, *d_found, *d_count;
    for (int i = 0; i < n; ++i) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_found, sizeof found);
    cudaMalloc(&d_count, sizeof count);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof count);
    find<<<4, 256>>>(d_in, d_found, d_count, n);
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(found, d_found, sizeof found, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i) sum += found[i];
    std::printf("%d %d\n", count, sum);
    cudaFree(d_in);
    cudaFree(d_found);
    cudaFree(d_count);
}
