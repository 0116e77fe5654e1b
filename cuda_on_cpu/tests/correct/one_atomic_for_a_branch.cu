// SPDX-License-Identifier: MIT
// The lanes that come to a branch add to a counter together.
#include <cstdio>

__device__ int next_place(int* count) {
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
    int first = 0;
    if (lane == leader) first = atomicAdd(count, __popc(mask));
    return __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
}
__global__ void find(const int* in, int* out, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 3 == 0) out[next_place(count)] = in[i];
}

int main() {
    constexpr int n = 1000;
    int in[n], out[n], count, *d_in, *d_out, *d_count;
    for (int i = 0; i < n; ++i) in[i] = i * 7 % n;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_count, sizeof count);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof count);
    find<<<4, 256>>>(d_in, d_out, d_count, n);
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, count * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += out[i];
    std::printf("%d %d\n", count, sum);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_count);
}
