// SPDX-License-Identifier: MIT
// says: The program does something else if local variables that were never set are 0
// says: give each a value before it is read
#include <cuda_runtime.h>

#include <cstdio>

struct Mean {
    float sum;
    int count = 0;
    __device__ void add(float value) {
        sum += value;
        ++count;
    }
};

__global__ void mean(float* out, int n) {
    Mean mean;
    for (int i = 0; i < n; ++i) mean.add(i);
    *out = mean.sum / mean.count;
}

int main() {
    float *d_out, out;
    cudaMalloc(&d_out, sizeof(float));
    mean<<<1, 1>>>(d_out, 9);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", out);
    cudaFree(d_out);
}
