// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void twice(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000, bytes = n * sizeof(float);
    float in[n], out[n], *d_in, *d_out;
    for (float& value : in) value = 1;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", out[0], out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
