// SPDX-License-Identifier: MIT
// says: lane 5 reads lane 13, which is not in the mask 0x00001fff
// says: such as 0 in a sum
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_up(const int* in, int* out, int n) {
    if (threadIdx.x >= n) return;
    int sum = in[threadIdx.x];
    for (int step = 8; step > 0; step /= 2) sum += __shfl_down_sync((1U << n) - 1, sum, step);
    if (threadIdx.x == 0) *out = sum;
}

int main() {
    const int n = 13;
    std::vector<int> in(n, 1);
    int *d_in, *d_out, out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_up<<<1, 32>>>(d_in, d_out, n);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_in);
    cudaFree(d_out);
}
