// SPDX-License-Identifier: MIT
// Exercise 2 of lab 10, README.md: each column once.
#include <cuda_runtime.h>

constexpr int K = 7;
constexpr int kBlockWidth = 32, kBlockHeight = 8;
constexpr int kTileWidth = kBlockWidth + K - 1, kTileHeight = kBlockHeight + K - 1;

/// out(x, y) is the mean of 7 x 7 samples, rounded, the middle one is (x, y); those outside the
/// picture are the ones at its edge. width * height samples of 8 bits, row by row.
__global__ void mean(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    __shared__ int s_tile[kTileHeight][kTileWidth];
    __shared__ int s_sums[kBlockHeight][kTileWidth];  // of K samples below each other
    const int left = blockIdx.x * kBlockWidth - K / 2, top = blockIdx.y * kBlockHeight - K / 2;
    const int tx = threadIdx.x, ty = threadIdx.y;
    for (int row = ty; row < kTileHeight; row += kBlockHeight)
        for (int column = tx; column < kTileWidth; column += kBlockWidth)
            s_tile[row][column] = d_in[min(max(top + row, 0), height - 1) * width +
                                       min(max(left + column, 0), width - 1)];
    __syncthreads();

    for (int column = tx; column < kTileWidth; column += kBlockWidth) {
        int column_sum = 0;
        for (int j = 0; j < K; ++j) column_sum += s_tile[ty + j][column];
        s_sums[ty][column] = column_sum;
    }
    __syncthreads();

    const int x = blockIdx.x * kBlockWidth + tx, y = blockIdx.y * kBlockHeight + ty;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int i = 0; i < K; ++i) sum += s_sums[ty][tx + i];
    d_out[y * width + x] = (sum + K * K / 2) / (K * K);
}

/// d_in and d_out are device memory.
void launch_mean(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    const dim3 block(kBlockWidth, kBlockHeight);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    mean<<<grid, block>>>(d_in, d_out, width, height);
}
