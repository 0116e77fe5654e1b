// SPDX-License-Identifier: MIT
// says: both change
// says: s_bins
// says: use an atomic function
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void histogram(const unsigned char* in, int* out, int n) {
    __shared__ int s_bins[256];
    s_bins[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++s_bins[in[i]];
    __syncthreads();
    atomicAdd(&out[threadIdx.x], s_bins[threadIdx.x]);
}

int main() {
    const int n = 1000;
    std::vector<unsigned char> in(n);
    for (int i = 0; i < n; ++i) in[i] = i % 10;
    unsigned char* d_in;
    int *d_out, out[256];
    cudaMalloc(&d_in, n);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof out);
    histogram<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[3]);
    cudaFree(d_in);
    cudaFree(d_out);
}
