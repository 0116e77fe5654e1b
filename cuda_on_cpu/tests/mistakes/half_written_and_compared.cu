// SPDX-License-Identifier: MIT
// The host compares elements that no thread has written, which is wrong whatever they contain.
// says: it has not written elements 500 to 999 of the 1000
// says: look at the guard
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000;
    std::vector<int> in(n, 1), out(n);
    int *d_in, *d_out, wrong = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<4, 256>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (const int value : out) wrong += value != 2;
    std::printf("%d wrong\n", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
}
