// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void twice(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 1000;
    int* data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = 1;
    twice<<<(n + 255) / 256, 256>>>(data, n);
    cudaDeviceSynchronize();
    std::printf("%d\n", data[0]);
    cudaFree(data);
}
