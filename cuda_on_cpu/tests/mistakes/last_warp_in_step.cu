// SPDX-License-Identifier: MIT
// says: s_sum
// says: __syncwarp()
// says: The lanes of a warp do not run in step.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_up(const int* in, int* out) {
    __shared__ volatile int s_sum[128];
    const int i = threadIdx.x;
    s_sum[i] = in[i];
    __syncthreads();
    if (i < 64) s_sum[i] = s_sum[i] + s_sum[i + 64];
    __syncthreads();
    if (i < 32)
        for (int half = 32; half > 0; half /= 2) s_sum[i] = s_sum[i] + s_sum[i + half];
    if (i == 0) *out = s_sum[0];
}

int main() {
    const int n = 128;
    std::vector<int> in(n, 1);
    int *d_in, *d_out, out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_up<<<1, n>>>(d_in, d_out);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_in);
    cudaFree(d_out);
}
