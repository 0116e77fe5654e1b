// SPDX-License-Identifier: MIT
// says: host reads
// says: before kernel twice
// says: cudaDeviceSynchronize()
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void twice(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 1000;
    float* data;
    cudaMallocManaged(&data, n * sizeof(float));
    for (int i = 0; i < n; ++i) data[i] = 1;
    twice<<<(n + 255) / 256, 256>>>(data, n);
    std::printf("%g\n", double(data[0]));
    cudaFree(data);
}
