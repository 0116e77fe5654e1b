// SPDX-License-Identifier: MIT
// says: cudaEventElapsedTime at event_not_waited_for.cu:
// says: returned cudaErrorNotReady (device not ready), and the program did not check it
// says: Remedy: cudaEventSynchronize(
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int out[32], *d_out;
    cudaMalloc(&d_out, sizeof out);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    fill<<<1, 32>>>(d_out);
    cudaEventRecord(stop);
    cudaEventQuery(stop);  // makes it begin soon
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() == cudaSuccess) std::printf("%d, %g ms\n", out[0], ms);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_out);
}
