// SPDX-License-Identifier: MIT
// says: converts -8 to 'unsigned char' at float_outside_type.cu:9, which cannot hold it. A GPU gives 0
// says: Remedy: clamp the number first
#include <cuda_runtime.h>

#include <cstdio>

__global__ void to_bytes(const float* d_sums, unsigned char* d_out) {
    d_out[threadIdx.x] = d_sums[threadIdx.x];
}

int main() {
    const float sums[2] = {255, -8};
    float* d_sums;
    unsigned char *d_out, out[2];
    cudaMalloc(&d_sums, sizeof sums);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_sums, sums, sizeof sums, cudaMemcpyHostToDevice);
    to_bytes<<<1, 2>>>(d_sums, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", out[0], out[1]);
    cudaFree(d_sums);
    cudaFree(d_out);
}
