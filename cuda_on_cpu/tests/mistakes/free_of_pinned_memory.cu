// SPDX-License-Identifier: MIT
// says: host frees pinned memory of 4000 bytes with free or delete, at free_of_pinned_memory.cu:24.
// says: Only cudaFreeHost frees it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 1000;
    float *data, *d_data;
    cudaMallocHost(&data, n * sizeof(float));
    cudaMalloc(&d_data, n * sizeof(float));
    for (int i = 0; i < n; ++i) data[i] = 1;
    cudaMemcpy(d_data, data, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(d_data, n);
    cudaMemcpy(data, d_data, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(data[0]), double(data[n - 1]));
    cudaFree(d_data);
    delete[] data;
}
