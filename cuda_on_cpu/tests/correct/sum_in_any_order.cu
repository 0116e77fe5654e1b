// SPDX-License-Identifier: MIT
// The last bits of the sum depend on the order of its threads, and so does its error.
// says: nothing found
// says: rounded differently in another order
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void add_up(const float* in, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
}

int main() {
    const int n = 20000;
    std::vector<float> in(n);
    double exact = 0;
    for (int i = 0; i < n; ++i) exact += in[i] = 100.0F / static_cast<float>(i % 97 + 1);
    float *d_in, *d_sum, sum;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_sum, sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof(float));
    add_up<<<(n + 255) / 256, 256>>>(d_in, d_sum, n);
    cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("error %g\n", std::fabs(sum - exact));
    cudaFree(d_in);
    cudaFree(d_sum);
}
