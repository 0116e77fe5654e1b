// SPDX-License-Identifier: MIT
// says: A copy goes 4 bytes past the end of c_taps, a __constant__ variable of 36 bytes, at constant_copied_past_its_end.cu:19.
// says: Remedy: offset and size of a copy to or from a variable count bytes
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float c_taps[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

__global__ void sum_up(float* out) {
    float sum = 0;
    for (int i = 0; i < 9; ++i) sum += c_taps[i];
    *out = sum;
}

int main() {
    float h_taps[3] = {1, 1, 1}, out, *d_out;
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpyToSymbol(c_taps, h_taps, sizeof h_taps, 7 * sizeof(float));
    sum_up<<<1, 1>>>(d_out);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out));
    cudaFree(d_out);
}
