// SPDX-License-Identifier: MIT
// says: it has not written bytes 4000 to 4007 of the 4008
// says: Each thread writes 16 bytes at once, and 8 bytes are left at the end. The grid is large enough.
// says: let threads write the rest one by one, behind the last whole group of 16 bytes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    const float4 four = reinterpret_cast<const float4*>(in)[i];
    reinterpret_cast<float4*>(out)[i] = make_float4(2 * four.x, 2 * four.y, 2 * four.z, 2 * four.w);
}

int main() {
    const int n = 1002;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<4, 64>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[0]));
    cudaFree(d_in);
    cudaFree(d_out);
}
