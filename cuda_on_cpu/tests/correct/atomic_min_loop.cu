// SPDX-License-Identifier: MIT
// says: nothing found
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ void atomic_min(float* address, float value) {
    int old = *reinterpret_cast<int*>(address);
    while (value < __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(reinterpret_cast<int*>(address), assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}
__global__ void smallest(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_min(out, in[i]);
}

int main() {
    const int n = 1000;
    std::vector<float> in(n);
    for (int i = 0; i < n; ++i) in[i] = static_cast<float>((i * 7 + 500) % n);
    float *d_in, *d_out, out = 400;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, &out, sizeof(float), cudaMemcpyHostToDevice);
    smallest<<<4, 256>>>(d_in, d_out, n);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out));
    cudaFree(d_in);
    cudaFree(d_out);
}
