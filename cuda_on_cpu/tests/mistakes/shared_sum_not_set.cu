// SPDX-License-Identifier: MIT
// says: s_sum
// says: which no thread of the block has set before
// says: set it to 0
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_up(const int* in, int* sum, int n) {
    __shared__ int s_sum;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&s_sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, s_sum);
}

int main() {
    const int n = 1000;
    std::vector<int> in(n, 1);
    int *d_in, *d_sum, sum;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof(int));
    sum_up<<<(n + 255) / 256, 256>>>(d_in, d_sum, n);
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", sum);
    cudaFree(d_in);
    cudaFree(d_sum);
}
