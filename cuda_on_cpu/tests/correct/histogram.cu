// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void histogram(const unsigned char* in, int* out, int n) {
    __shared__ int s_bins[256];
    s_bins[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&s_bins[in[i]], 1);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], s_bins[threadIdx.x]);
}

int main() {
    const int n = 1000;
    unsigned char in[n], *d_in;
    for (int i = 0; i < n; ++i) in[i] = i % 10;
    int *d_out, out[256];
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof out);
    histogram<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[3]);
    cudaFree(d_in);
    cudaFree(d_out);
}
