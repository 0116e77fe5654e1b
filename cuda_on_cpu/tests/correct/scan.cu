// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void scan(const float* in, float* out, int n) {
    __shared__ float s[256];
    const int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        const float left = i >= d ? s[i - d] : 0;
        __syncthreads();
        s[i] += left;
        __syncthreads();
    }
    out[i] = s[i];
}

int main() {
    const int n = 256;
    float in[n], out[n], *d_in, *d_out;
    for (float& value : in) value = 1;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    scan<<<1, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", out[0], out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
