// SPDX-License-Identifier: MIT
// says: a grid of (1,70000,1) blocks; allowed are 1 to 2147483647 in x, 1 to 65535 in y and z.
// says: Remedy: use x for the larger count
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* out) { out[blockIdx.y] = 1; }

int main() {
    const int n = 70000;
    std::vector<int> out(n);
    int* d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    fill<<<dim3(1, n), 1>>>(d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[n - 1]);
    cudaFree(d_out);
}
