// SPDX-License-Identifier: MIT
// says: thread (0,0,0) of block (0,0,0) reads element 4 of c_taps at constant_filled_in_part.cu:12, which was never filled: it is 0.
// says: Remedy: cudaMemcpyToSymbol before the launch; it counts bytes
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float c_taps[16];

__global__ void sum_up(float* out, int taps) {
    float sum = 0;
    for (int i = 0; i < taps; ++i) sum += c_taps[i];
    *out = sum;
}

int main() {
    const int taps = 16;
    float h_taps[taps], *d_out, out;
    for (float& tap : h_taps) tap = 1;
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpyToSymbol(c_taps, h_taps, taps);
    sum_up<<<1, 1>>>(d_out, taps);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out), double(h_taps[0]));
    cudaFree(d_out);
}
