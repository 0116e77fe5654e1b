// SPDX-License-Identifier: MIT
#include <cstdio>

__device__ unsigned finished = 0;

__global__ void sum_up(const int* in, int* parts, int* out, int n) {
    __shared__ int s_sum;
    __shared__ bool s_last;
    if (threadIdx.x == 0) s_sum = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&s_sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = s_sum;
        __threadfence();
        s_last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!s_last || threadIdx.x > 0) return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
    *out = sum;
}

int main() {
    const int n = 1000;
    int in[n], out, *d_in, *d_parts, *d_out;
    for (int& value : in) value = 1;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_parts, 4 * sizeof(int));
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    sum_up<<<4, 256>>>(d_in, d_parts, d_out, n);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_in);
    cudaFree(d_parts);
    cudaFree(d_out);
}
