// SPDX-License-Identifier: MIT
// kind: race_in_block
// check: race in kernel sum_up, launched at {sum_up<<<}
// check: reads element 1 of s_sum at {+=}
// check: with no barrier between
#include <cstdio>

__global__ void sum_up(const float* in, float* out) {
    __shared__ float s_sum[256];
    s_sum[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *out = s_sum[0];
}

int main() {
    const int n = 256;
    float in[n], out, *d_in, *d_out;
    for (float& value : in) value = 1;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    sum_up<<<1, n>>>(d_in, d_out);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", out);
    cudaFree(d_in);
    cudaFree(d_out);
}
