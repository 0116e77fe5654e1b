// SPDX-License-Identifier: MIT
// says: which was never written
// says: cudaMemset
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void count(const float* in, int* counter, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) atomicAdd(counter, 1);
}

int main() {
    const int n = 1000;
    std::vector<float> in(n, 1);
    float* d_in;
    int *d_counter, counter;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_counter, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    count<<<4, 256>>>(d_in, d_counter, n);
    cudaMemcpy(&counter, d_counter, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", counter);
    cudaFree(d_in);
    cudaFree(d_counter);
}
