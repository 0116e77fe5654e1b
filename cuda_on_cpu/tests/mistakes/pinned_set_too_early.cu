// SPDX-License-Identifier: MIT
// says: The host writes pinned memory of 4000 bytes at pinned_set_too_early.cu:25 before the copy at pinned_set_too_early.cu:24 has run.
// says: Remedy: wait in between
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000, bytes = n * sizeof(int);
    int *h_in, *h_out, *d_in, *d_out;
    cudaMallocHost(&h_in, bytes);
    cudaMallocHost(&h_out, bytes);
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    for (int i = 0; i < n; ++i) h_in[i] = i;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(d_in, h_in, bytes, cudaMemcpyHostToDevice, stream);
    std::memset(h_in, 0, bytes);
    twice<<<(n + 255) / 256, 256, 0, stream>>>(d_in, d_out, n);
    cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", h_out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFreeHost(h_in);
    cudaFreeHost(h_out);
    cudaStreamDestroy(stream);
}
