// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void count(const float* in, int* counter, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) atomicAdd(counter, 1);
}

int main() {
    const int n = 1000;
    float in[n], *d_in;
    for (float& value : in) value = 1;
    int *d_counter, counter;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_counter, sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_counter, 0, sizeof(int));
    count<<<4, 256>>>(d_in, d_counter, n);
    cudaMemcpy(&counter, d_counter, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", counter);
    cudaFree(d_in);
    cudaFree(d_counter);
}
