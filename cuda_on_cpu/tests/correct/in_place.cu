// SPDX-License-Identifier: MIT
// The offset behind the last row does not change.
#include <cstdio>

__global__ void shift(int* offsets, int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) offsets[i] += 1;
}

int main() {
    const int rows = 1000;
    int offsets[rows + 1], *d_offsets;
    for (int& offset : offsets) offset = 7;
    cudaMalloc(&d_offsets, sizeof offsets);
    cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    shift<<<(rows + 255) / 256, 256>>>(d_offsets, rows);
    cudaMemcpy(offsets, d_offsets, sizeof offsets, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", offsets[0], offsets[rows]);
    cudaFree(d_offsets);
}
