// SPDX-License-Identifier: MIT
// says: The copy at event_missing.cu:26 writes device memory of 4000 bytes, and
// says: kernel twice, launched at event_missing.cu:27, in another stream, reads the same bytes
// says: at event_missing.cu:12: nothing says which
// says: behind event_missing.cu:26 and cudaStreamWaitEvent(the other stream, event) before event_missing.cu:27
#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 1000;
    cudaStream_t copies, kernels;
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    int *data, *d_data;
    cudaMallocHost(&data, n * sizeof(int));
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMemset(d_data, 0, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i + 1;
    cudaDeviceSynchronize();
    cudaMemcpyAsync(d_data, data, n * sizeof(int), cudaMemcpyHostToDevice, copies);
    twice<<<(n + 255) / 256, 256, 0, kernels>>>(d_data, n);
    cudaDeviceSynchronize();
    cudaMemcpy(data, d_data, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", data[n - 1]);
    cudaFree(d_data);
    cudaFreeHost(data);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
}
