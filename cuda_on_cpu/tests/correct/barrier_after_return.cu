// SPDX-License-Identifier: MIT
// says: Note:
// says: 24 threads of block (3,0,0) have returned before __syncthreads at barrier_after_return.cu:16
// says: GPUs before Volta
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void shift(const float* in, float* out, int n) {
    __shared__ float s_tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s_tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s_tile[threadIdx.x > 0 ? threadIdx.x - 1 : 0];
}

int main() {
    const int n = 1000;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    shift<<<4, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out[0]), double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
