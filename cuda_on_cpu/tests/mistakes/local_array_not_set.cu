// SPDX-License-Identifier: MIT
// says: The program does something else if local variables that were never set are 0: it prints "16", not
// says: Look at bins at local_array_not_set.cu:10
#include <cuda_runtime.h>

#include <cstdio>

// requires: g++ 12
__global__ void count(const unsigned char* in, int* out, int n) {
    int bins[4];
    for (int i = 0; i < n; ++i) ++bins[in[i] & 3];
    *out = bins[0];
}

int main() {
    unsigned char in[64], *d_in;
    int *d_out, out;
    for (int i = 0; i < 64; ++i) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    count<<<1, 1>>>(d_in, d_out, 64);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_in);
    cudaFree(d_out);
}
