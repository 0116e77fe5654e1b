// SPDX-License-Identifier: MIT
// says: if memory that was never written is 0: it ends with exit code 0, not with a signal,
// says: cudaMemset
#include <cuda_runtime.h>

#include <cassert>

__global__ void add(int* sum) { atomicAdd(sum, 1); }

int main() {
    int* sum;
    cudaMallocManaged(&sum, sizeof(int));
    add<<<2, 32>>>(sum);
    cudaDeviceSynchronize();
    assert(*sum == 64);
    cudaFree(sum);
}
