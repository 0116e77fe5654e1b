// SPDX-License-Identifier: MIT
// says: race in kernel sum_up
// says: __syncwarp()
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_up(const float* in, float* out, int n) {
    __shared__ volatile float s_sum[32];
    s_sum[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16) s_sum[threadIdx.x] += s_sum[threadIdx.x + 16];
    if (threadIdx.x < 8) s_sum[threadIdx.x] += s_sum[threadIdx.x + 8];
    if (threadIdx.x < n) out[threadIdx.x] = s_sum[0];
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
