// SPDX-License-Identifier: MIT
// says: 1. cudaMemset at sum_set_in_another_stream.cu:15 writes device memory of 4 bytes, and kernel count
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* sum) { atomicAdd(sum, 1); }

int main() {
    int *d_sum, sum;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&d_sum, sizeof(int));

    cudaMemsetAsync(d_sum, 0, sizeof(int));
    count<<<4, 64, 0, stream>>>(d_sum);
    cudaMemcpyAsync(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", sum);
    cudaStreamDestroy(stream);
    cudaFree(d_sum);
}
