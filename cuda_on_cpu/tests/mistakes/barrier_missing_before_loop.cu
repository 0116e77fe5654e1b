// SPDX-License-Identifier: MIT
// says: race in kernel sum_up
// says: put __syncthreads() between barrier_missing_before_loop.cu:12 and barrier_missing_before_loop.cu:14.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_up(const float* in, float* out, int n) {
    __shared__ float s_sum[256];
    s_sum[threadIdx.x] = in[threadIdx.x];
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < n) out[threadIdx.x] = s_sum[0];
}

int main() {
    const int n = 256;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sum_up<<<1, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out[0]), double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
