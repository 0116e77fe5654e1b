// SPDX-License-Identifier: MIT
// The host stops a kernel by a flag in managed memory, which concurrentManagedAccess permits.
#include <cstdio>

__global__ void until_stopped(volatile int* stop, int* result) {
    while (*stop == 0) {
    }
    *result = 7;
}

int main() {
    int *stop, *d_result, result;
    cudaMallocManaged(&stop, sizeof(int));
    cudaMalloc(&d_result, sizeof(int));
    *stop = 0;
    until_stopped<<<1, 1>>>(stop, d_result);
    *static_cast<volatile int*>(stop) = 1;
    cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", result);
    cudaFree(stop);
    cudaFree(d_result);
}
