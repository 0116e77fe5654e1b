// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void sum_up(const float* in, float* out) {
    __shared__ float s_sum[32];
    const int i = threadIdx.x;
    s_sum[i] = in[i];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        const float other = s_sum[i ^ half];
        __syncwarp();
        s_sum[i] += other;
        __syncwarp();
    }
    out[i] = s_sum[i];
    out[i] += __shfl_xor_sync(0xffffffff, s_sum[i], 1);
}

int main() {
    const int n = 32;
    float in[n], out[n], *d_in, *d_out;
    for (float& value : in) value = 1;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    sum_up<<<1, n>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", out[0], out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
