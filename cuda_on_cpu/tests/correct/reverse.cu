// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void reverse(const float* in, float* out, int n) {
    __shared__ float s_tile[256];
    const int i = threadIdx.x;
    s_tile[i] = in[i];
    __syncthreads();
    out[i] = s_tile[n - 1 - i];
}

int main() {
    const int n = 256;
    float in[n], out[n], *d_in, *d_out;
    for (int i = 0; i < n; ++i) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    reverse<<<1, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", out[0], out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
