// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void show() {
    if (threadIdx.x == 0) printf("threads: ");
    printf("%d ", threadIdx.x);
    if (threadIdx.x == 0) printf("\n");
}

int main() {
    show<<<1, 16>>>();
    cudaDeviceSynchronize();
}
