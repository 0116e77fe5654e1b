// SPDX-License-Identifier: MIT
// says: divides an integer by zero
// says: guard
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void mean_of_three(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0, count = 0;
    for (int k = i; k < i + 3; ++k)
        if (k < n) {
            sum += in[k];
            ++count;
        }
    out[i] = sum / count;
}

int main() {
    const int n = 1000;
    std::vector<int> in(n, 1), out(n);
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    mean_of_three<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", double(out[0]), double(out[n - 1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
