// SPDX-License-Identifier: MIT
// says: nothing found
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ float atomic_max(float* address, float value) {
    int old = *reinterpret_cast<int*>(address), assumed;
    do {
        assumed = old;
        const float larger = value > __int_as_float(assumed) ? value : __int_as_float(assumed);
        old = atomicCAS(reinterpret_cast<int*>(address), assumed, __float_as_int(larger));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void largest(const float* in, float* out, bool* found, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomic_max(out, in[i]);
    if (in[i] > 5) *found = true;
}

int main() {
    const int n = 1000;
    std::vector<float> in(n);
    for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i);
    float *d_in, *d_out, out;
    bool *d_found, found;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMalloc(&d_found, sizeof(bool));
    cudaMemset(d_out, 0, sizeof(float));
    cudaMemset(d_found, 0, sizeof(bool));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    largest<<<4, 256>>>(d_in, d_out, d_found, n);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(&found, d_found, sizeof(bool), cudaMemcpyDeviceToHost);
    std::printf("%g %d\n", double(out), found);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_found);
}
