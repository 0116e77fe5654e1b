// SPDX-License-Identifier: MIT
// says: __shfl_down_sync
// says: reads lane 16, which has returned
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_up(const float* in, float* out, int n) {
    float sum = in[threadIdx.x];
    if (threadIdx.x < 16) sum += __shfl_down_sync(0xffffffff, sum, 8);
    if (threadIdx.x < n) out[threadIdx.x] = sum;
}

int main() {
    const int n = 32;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sum_up<<<1, 32>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out[0]), double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
