// SPDX-License-Identifier: MIT
// says: cudaMemset at memset_of_ints.cu:16 sets bytes: of 1000 each gets 232, so an int becomes -387389208.
// says: Remedy: only 0 and -1 are the same as bytes and as ints
#include <cuda_runtime.h>

#include <cstdio>

__global__ void smallest(const int* in, int* best) { atomicMin(best, in[threadIdx.x]); }

int main() {
    const int n = 64;
    int in[n], *d_in, *d_best, best;
    for (int i = 0; i < n; ++i) in[i] = 500 + i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_best, sizeof(int));
    cudaMemset(d_best, 1000, sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    smallest<<<1, n>>>(d_in, d_best);
    cudaMemcpy(&best, d_best, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", best);
    cudaFree(d_in);
    cudaFree(d_best);
}
