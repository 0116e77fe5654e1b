// SPDX-License-Identifier: MIT
// says: nothing found
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// After grid.sync each block reads what the others have written, and its own shared memory.
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
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_parts, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_parts, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    void* arguments[] = {&d_in, &d_parts, &d_out, &n};
    cudaLaunchCooperativeKernel(rotate, dim3(4), dim3(64), arguments, 0, nullptr);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_parts);
    cudaFree(d_out);
}
