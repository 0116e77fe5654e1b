// SPDX-License-Identifier: MIT
// Memory of one stream, which another uses between two events.
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    const int bytes = 64 * sizeof(int);
    int *d_out, *h_out;
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&event);
    cudaMallocHost(&h_out, bytes);
    cudaMallocAsync(&d_out, bytes, first);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event);
    fill<<<1, 64, 0, second>>>(d_out);
    cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, second);
    cudaEventRecord(event, second);
    cudaStreamWaitEvent(first, event);
    cudaFreeAsync(d_out, first);
    cudaDeviceSynchronize();
    std::printf("%d\n", h_out[63]);
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFreeHost(h_out);
}
