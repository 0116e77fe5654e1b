// SPDX-License-Identifier: MIT
// says: Kernel count, launched at variable_copied_unordered.cu:16
// says: d_total, a __device__ variable
// says: and the copy at variable_copied_unordered.cu:17, in another stream, reads the same bytes: nothing says which of the two comes first
#include <cuda_runtime.h>

#include <cstdio>

__device__ int d_total;
__global__ void count() { atomicAdd(&d_total, 1); }

int main() {
    int total;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    count<<<4, 64, 0, stream>>>();
    cudaMemcpyFromSymbol(&total, d_total, sizeof total);
    std::printf("%d\n", total);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
