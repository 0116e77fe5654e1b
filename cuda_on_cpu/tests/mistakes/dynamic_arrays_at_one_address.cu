// SPDX-License-Identifier: MIT
// says: uses s_in and s_weight at dynamic_arrays_at_one_address.cu:9, but both begin at the same address
// says: Remedy: declare one array, and let the second begin behind the first
#include <cuda_runtime.h>

#include <cstdio>

__global__ void weighted(const float* in, float* out) {
    extern __shared__ float s_in[], s_weight[];
    s_in[threadIdx.x] = in[threadIdx.x];
    s_weight[threadIdx.x] = 0.5F;
    __syncthreads();
    const int next = (threadIdx.x + 1) % blockDim.x;
    out[threadIdx.x] = s_in[next] * s_weight[next];
}

int main() {
    const int n = 64;
    float in[n], out[n], *d_in, *d_out;
    for (int i = 0; i < n; ++i) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    weighted<<<1, n, 2 * n * sizeof(float)>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[5]));
    cudaFree(d_in);
    cudaFree(d_out);
}
