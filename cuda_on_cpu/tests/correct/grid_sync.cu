// SPDX-License-Identifier: MIT
// After grid.sync each block reads what the others have written, and its own shared memory.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void rotate(const float* in, float* parts, float* out, int n) {
    __shared__ float s_mine[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s_mine[threadIdx.x] = in[i];
    parts[i] = 2 * in[i];
    cooperative_groups::this_grid().sync();
    out[i] = parts[(i + 64) % n] + s_mine[63 - threadIdx.x];
}

int main() {
    int n = 256;
    float in[256] = {}, out[256], *d_in, *d_parts, *d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_parts, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    void* arguments[] = {&d_in, &d_parts, &d_out, &n};
    cudaLaunchCooperativeKernel(rotate, dim3(4), dim3(64), arguments, 0, nullptr);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g\n", out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_parts);
    cudaFree(d_out);
}
