// SPDX-License-Identifier: MIT
#include <cstdio>

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
    float in[n], out = 400, *d_in, *d_out;
    bool found = false, *d_found;
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + 500) % n;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_found, sizeof found);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, &out, sizeof out, cudaMemcpyHostToDevice);
    cudaMemcpy(d_found, &found, sizeof found, cudaMemcpyHostToDevice);
    largest<<<4, 256>>>(d_in, d_out, d_found, n);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("%g %d\n", out, found);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_found);
}
