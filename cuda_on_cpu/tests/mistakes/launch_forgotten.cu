// SPDX-License-Identifier: MIT
// says: host calls kernel fill without <<< >>>, at launch_forgotten.cu:19.
// says: Launch it: fill<<<blocks, threads>>>(...).
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

int main() {
    const int n = 1000;
    std::vector<int> out(n);
    int* d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    fill(d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[5]);
    cudaFree(d_out);
}
