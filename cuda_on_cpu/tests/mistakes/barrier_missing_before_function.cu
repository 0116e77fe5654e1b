// SPDX-License-Identifier: MIT
// The function that reads stands above the kernel that has written.
// says: race in kernel sum_up
// says: put __syncthreads() behind barrier_missing_before_function.cu:19, before the kernel comes to barrier_missing_before_function.cu:12.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __noinline__ float total(const float* values, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}

__global__ void sum_up(const float* in, float* out, int n) {
    __shared__ float s_in[64];
    const int i = threadIdx.x;
    s_in[i] = in[i];
    if (i == 0) *out = total(s_in, n);
}

int main() {
    const int n = 64;
    std::vector<float> in(n, 1);
    float *d_in, *d_out, out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sum_up<<<1, n>>>(d_in, d_out, n);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out));
    cudaFree(d_in);
    cudaFree(d_out);
}
