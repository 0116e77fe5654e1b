// SPDX-License-Identifier: MIT
// says: cudaMalloc is asked for 18446744071562067968 bytes, at size_negative.cu:12: the size is negative.
// says: Remedy: begin it with a size_t
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    volatile int width = 32768;
    const int height = 65536;
    float* d_out;
    const cudaError_t error = cudaMalloc(&d_out, width * height);
    std::printf("%s\n", cudaGetErrorString(error));
    cudaFree(d_out);
}
