// SPDX-License-Identifier: MIT
// says: A copy reads device memory of 256 bytes, at copied_after_free_in_stream.cu:18, which cudaFreeAsync has freed before.
// says: Remedy: free it after its last use.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
    const int n = 64;
    int *d_out, out[n] = {};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(&d_out, sizeof out, stream);
    fill<<<1, n, 0, stream>>>(d_out);
    cudaFreeAsync(d_out, stream);
    cudaMemcpyAsync(out, d_out, sizeof out, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", out[5]);
    cudaStreamDestroy(stream);
}
