// SPDX-License-Identifier: MIT
// says: uses an atomic function on element 0 of argument 1
// says: use what the atomic function returns
#include <cuda_runtime.h>

#include <cstdio>

__global__ void take(int* taken, int limit) {
    if (*taken < limit) atomicAdd(taken, 1);  // another thread may take the last one in between
}

int main() {
    int *d_taken, taken;
    cudaMalloc(&d_taken, sizeof(int));
    cudaMemset(d_taken, 0, sizeof(int));
    take<<<4, 64>>>(d_taken, 100);
    cudaMemcpy(&taken, d_taken, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", taken);
    cudaFree(d_taken);
}
