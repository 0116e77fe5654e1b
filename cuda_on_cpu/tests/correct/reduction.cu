// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void sum_up(const float* in, float* out, int n) {
    __shared__ float s_sum[256];
    s_sum[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x < n) out[threadIdx.x] = s_sum[0];
}

int main() {
    const int n = 256;
    float in[n], out[n], *d_in, *d_out;
    for (float& value : in) value = 1;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    sum_up<<<1, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", out[0], out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
