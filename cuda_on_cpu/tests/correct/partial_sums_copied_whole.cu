// SPDX-License-Identifier: MIT
// More is copied than the kernel writes; the host uses what it has written.
// says: Note: Kernel sum_up, launched at partial_sums_copied_whole.cu:
// says: has not written elements 4 to 999
// says: copy only what it writes
// says: It is no mistake, as the host does not use the bytes that were never written.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_up(const int* in, int* out) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += in[blockIdx.x * 64 + i];
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
    const int n = 1000;
    std::vector<int> in(n, 1), out(n);
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_up<<<4, 64>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0] + out[1] + out[2] + out[3]);
    cudaFree(d_in);
    cudaFree(d_out);
}
