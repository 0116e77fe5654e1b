// SPDX-License-Identifier: MIT
// says: race in kernel blur
// says: blocks run in any order
// says: read from one buffer and write to another
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void blur(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float mean = i > 0 && i < n - 1 ? (data[i - 1] + data[i] + data[i + 1]) / 3 : 0;
    __syncthreads();
    if (i < n) data[i] = mean;
}
int main() {
    const int n = 1000;
    std::vector<float> data(n, 1);
    float* d_data;
    cudaMalloc(&d_data, n * sizeof(float));
    cudaMemcpy(d_data, data.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    blur<<<4, 256>>>(d_data, n);
    cudaMemcpy(data.data(), d_data, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(data[1]));
    cudaFree(d_data);
}
