// SPDX-License-Identifier: MIT
// says: nothing found
// The last thread reads an element that was never written, and does not use it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void difference(const float* in, float* out, int n) {
    __shared__ float s_tile[257];
    const int i = threadIdx.x;
    s_tile[i] = in[i];
    __syncthreads();
    const float next = s_tile[i + 1], here = s_tile[i];
    out[i] = i + 1 < n ? next - here : 0;
}

int main() {
    const int n = 256;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    difference<<<1, n>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
