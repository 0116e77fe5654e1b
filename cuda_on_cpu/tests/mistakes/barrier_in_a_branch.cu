// SPDX-License-Identifier: MIT
// says: A race in kernel reverse
// says: with no barrier between
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void reverse(const float* in, float* out, int n) {
    __shared__ float s_tile[256];
    const int i = threadIdx.x;
    s_tile[i] = in[i];
    if (i < 100) __syncthreads();
    out[i] = s_tile[n - 1 - i];
}

int main() {
    const int n = 256;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    reverse<<<1, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out[0]), double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
