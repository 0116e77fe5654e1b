// SPDX-License-Identifier: MIT
// says: race in kernel scan
// says: at the same line
// says: read into a variable
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scan(const float* in, float* out, int n) {
    __shared__ float s[256];
    const int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if (i >= d) s[i] += s[i - d];
        __syncthreads();
    }
    out[i] = s[i];
}

int main() {
    const int n = 256;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scan<<<1, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out[0]), double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
