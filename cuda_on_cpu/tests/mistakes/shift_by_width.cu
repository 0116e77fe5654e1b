// SPDX-License-Identifier: MIT
// says: shifts a number of 32 bits by 32 at shift_by_width.cu:8. A GPU shifts every bit out
// says: Remedy: test the distance first
#include <cuda_runtime.h>

#include <cstdio>

__global__ void masks(unsigned* out) { out[threadIdx.x] = (1U << threadIdx.x * 8) - 1; }

int main() {
    unsigned *d_out, out[5];
    cudaMalloc(&d_out, sizeof out);
    masks<<<1, 5>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%x %x\n", out[3], out[4]);
    cudaFree(d_out);
}
