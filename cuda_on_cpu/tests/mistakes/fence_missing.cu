// SPDX-License-Identifier: MIT
// says: race in kernel sum_up
// says: __threadfence()
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ unsigned finished = 0;

__global__ void sum_up(const float* in, float* parts, float* out, int n) {
    __shared__ float s_sum;
    __shared__ bool s_last;
    if (threadIdx.x == 0) s_sum = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&s_sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = s_sum;
        s_last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!s_last || threadIdx.x > 0) return;
    float sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
    *out = sum;
}

int main() {
    const int n = 1000;
    std::vector<float> in(n, 1);
    float *d_in, *d_parts, *d_out, out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_parts, 4 * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sum_up<<<4, 256>>>(d_in, d_parts, d_out, n);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out));
    cudaFree(d_in);
    cudaFree(d_parts);
    cudaFree(d_out);
}
