// SPDX-License-Identifier: MIT
// says: both change element
// says: if each thread should have its own element, look at the index
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(float* values, int n) {
    const int i = threadIdx.x;
    if (i < n) values[i] *= 2;
}

int main() {
    const int n = 1000;
    std::vector<float> values(n, 1);
    float* d_values;
    cudaMalloc(&d_values, n * sizeof(float));
    cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(d_values, n);
    cudaMemcpy(values.data(), d_values, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(values[0]), double(values[n - 1]));
    cudaFree(d_values);
}
