// SPDX-License-Identifier: MIT
// Exercise 3 of lab 05, README.md: a tile with its halo.
#include <cuda_runtime.h>

constexpr int kRadius = 2, K = 2 * kRadius + 1;
constexpr int kBlockWidth = 32, kBlockHeight = 8;
constexpr int kTileWidth = kBlockWidth + K - 1, kTileHeight = kBlockHeight + K - 1;

/// out(x, y) is the sum of 5 x 5 samples, the middle one is (x, y); those outside the picture are
/// the ones at its edge. width * height samples of 8 bits, row by row.
__global__ void box(const unsigned char* d_in, int* d_out, int width, int height) {
    __shared__ int s_tile[kTileHeight][kTileWidth];
    const int left = blockIdx.x * kBlockWidth - kRadius;
    const int top = blockIdx.y * kBlockHeight - kRadius;
    for (int cell = threadIdx.y * kBlockWidth + threadIdx.x; cell < kTileWidth * kTileHeight;
         cell += kBlockWidth * kBlockHeight) {
        const int column = min(max(left + cell % kTileWidth, 0), width - 1);
        const int row = min(max(top + cell / kTileWidth, 0), height - 1);
        s_tile[cell / kTileWidth][cell % kTileWidth] = d_in[row * width + column];
    }
    __syncthreads();

    const int x = blockIdx.x * kBlockWidth + threadIdx.x;
    const int y = blockIdx.y * kBlockHeight + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int j = 0; j < K; ++j)
        for (int i = 0; i < K; ++i) sum += s_tile[threadIdx.y + j][threadIdx.x + i];
    d_out[y * width + x] = sum;
}

/// d_in and d_out are device memory.
void launch_box(const unsigned char* d_in, int* d_out, int width, int height) {
    const dim3 block(kBlockWidth, kBlockHeight);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    box<<<grid, block>>>(d_in, d_out, width, height);
}
