// SPDX-License-Identifier: MIT
// says: block (0,0,0) of (1,1,1): thread (2,0,0) writes c_taps, a __constant__ variable, which kernels can only read, at constant_written_by_kernel.cu:11.
// says: Remedy: make it a __device__ variable, or let the host fill it: cudaMemcpyToSymbol.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float c_taps[3];

__global__ void scale(float* out) {
    if (threadIdx.x == 2) c_taps[1] = 7;
    out[threadIdx.x] = threadIdx.x;
}

int main() {
    float h_taps[3] = {1, 2, 3}, out[32], *d_out;
    cudaMemcpyToSymbol(c_taps, h_taps, sizeof h_taps);
    cudaMalloc(&d_out, sizeof out);
    scale<<<1, 32>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[1]));
    cudaFree(d_out);
}
