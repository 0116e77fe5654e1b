// SPDX-License-Identifier: MIT
// says: cudaMallocAsync at used_before_allocated.cu:17 allocates device memory of 1024 bytes, and the copy at used_before_allocated.cu:20, in another stream, reads the same bytes
// says: cudaEventRecord(event, stream) behind used_before_allocated.cu:17
#include <cuda_runtime.h>

#include <cstdio>

__global__ void increment(int* values) { ++values[threadIdx.x]; }

int main() {
    const int n = 256;
    int *d_values, values[n];
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);

    cudaMallocAsync(&d_values, n * sizeof(int), first);
    cudaMemsetAsync(d_values, 0, n * sizeof(int), second);
    increment<<<1, n, 0, second>>>(d_values);
    cudaMemcpyAsync(values, d_values, n * sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    cudaFreeAsync(d_values, second);
    cudaDeviceSynchronize();
    std::printf("%d\n", values[0]);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
