// SPDX-License-Identifier: MIT
// says: elements 768 to 999
// says: round the number of blocks up
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void twice(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}
int main() {
    const int n = 1000;
    std::vector<float> data(n, 1);
    float* d_data;
    cudaMalloc(&d_data, n * sizeof(float));
    cudaMemcpy(d_data, data.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<n / 256, 256>>>(d_data, n);
    cudaMemcpy(data.data(), d_data, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(data[n - 1]));
    cudaFree(d_data);
}
