// SPDX-License-Identifier: MIT
// Works in place, with one thread per row; the offset after the last row does not change.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void shift(int* offsets, int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) offsets[i] += 1;
}

int main() {
    const int rows = 1024;
    std::vector<int> offsets(rows + 1, 7);
    int* d_offsets;
    cudaMalloc(&d_offsets, offsets.size() * sizeof(int));
    cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
    shift<<<(rows + 255) / 256, 256>>>(d_offsets, rows);
    cudaMemcpy(offsets.data(), d_offsets, offsets.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", offsets[0], offsets[rows]);
    cudaFree(d_offsets);
}
