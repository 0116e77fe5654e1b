// SPDX-License-Identifier: MIT
// says: host reads
// says: before the copy
// says: cudaStreamSynchronize
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void twice(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 1000;
    float *data, *d_data;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&data, n * sizeof(float));
    cudaMalloc(&d_data, n * sizeof(float));
    for (int i = 0; i < n; ++i) data[i] = 1;
    cudaMemcpyAsync(d_data, data, n * sizeof(float), cudaMemcpyHostToDevice, stream);
    twice<<<(n + 255) / 256, 256, 0, stream>>>(d_data, n);
    cudaMemcpyAsync(data, d_data, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    std::printf("%g\n", double(data[0]));
    cudaFree(d_data);
    cudaFreeHost(data);
    cudaStreamDestroy(stream);
}
