// SPDX-License-Identifier: MIT
// says: nothing found
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void sum_up(const float* in, float* out, int n) {
    __shared__ float s_sum[32];
    const unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        const float other = s_sum[i ^ half];
        __syncwarp();
        s_sum[i] += other;
        __syncwarp();
    }
    if (i < n) out[i] = s_sum[i] + __shfl_xor_sync(0xffffffff, s_sum[i], 1);
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
