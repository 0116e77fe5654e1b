// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 1000, bytes = n * sizeof(int);
    int *data, *d_data;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&data, bytes);
    cudaMalloc(&d_data, bytes);
    for (int i = 0; i < n; ++i) data[i] = 1;
    cudaMemcpyAsync(d_data, data, bytes, cudaMemcpyHostToDevice, stream);
    twice<<<(n + 255) / 256, 256, 0, stream>>>(d_data, n);
    cudaMemcpyAsync(data, d_data, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", data[0]);
    cudaFree(d_data);
    cudaFreeHost(data);
    cudaStreamDestroy(stream);
}
