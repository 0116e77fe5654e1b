// SPDX-License-Identifier: MIT
// says: thread (9,0,0) reads 1 byte past the end of c_taps, a __constant__ variable of 36 bytes, at constant_read_past_its_end.cu:10 (in constant_read_past_its_end.cu:9).
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float c_taps[9];

__device__ float tap_of(const float* taps, int i) { return taps[i]; }
__global__ void double_all(float* out) { out[threadIdx.x] = 2 * tap_of(c_taps, threadIdx.x); }

int main() {
    float h_taps[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, out[10], *d_out;
    cudaMemcpyToSymbol(c_taps, h_taps, sizeof h_taps);
    cudaMalloc(&d_out, sizeof out);
    double_all<<<1, 10>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[9]));
    cudaFree(d_out);
}
