// SPDX-License-Identifier: MIT
// Names of one dynamic shared memory: one array behind the other, and one after the other.
#include <cstdio>

__global__ void behind(float* out) {
    extern __shared__ float s_in[];
    extern __shared__ int s_all[];
    int* const s_index = s_all + blockDim.x;
    s_in[threadIdx.x] = threadIdx.x;
    s_index[threadIdx.x] = blockDim.x - 1 - threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s_in[s_index[threadIdx.x]];
}

__global__ void after(float* out) {
    extern __shared__ float s_first[];
    extern __shared__ int s_second[];
    s_first[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    const float value = s_first[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    s_second[threadIdx.x] = 2 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = value + s_second[blockDim.x - 1 - threadIdx.x];
}

int main() {
    const int n = 64;
    float out[n], *d_out;
    cudaMalloc(&d_out, sizeof out);
    behind<<<1, n, 2 * n * sizeof(float)>>>(d_out);
    after<<<1, n, n * sizeof(float)>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", out[5]);
    cudaFree(d_out);
}
