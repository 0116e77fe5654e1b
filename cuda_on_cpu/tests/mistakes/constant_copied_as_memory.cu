// SPDX-License-Identifier: MIT
// says: the direction is cudaMemcpyHostToDevice
// says: needs cudaMemcpyToSymbol
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__constant__ float c_taps[3];

__global__ void smooth(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = c_taps[0] * in[i - 1] + c_taps[1] * in[i] + c_taps[2] * in[i + 1];
    else if (i < n)
        out[i] = in[i];
}

int main() {
    const int n = 1000;
    const float taps[] = {0.25F, 0.5F, 0.25F};
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(c_taps, taps, sizeof taps, cudaMemcpyHostToDevice);
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    smooth<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[5]));
    cudaFree(d_in);
    cudaFree(d_out);
}
