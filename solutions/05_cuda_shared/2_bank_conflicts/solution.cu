// SPDX-License-Identifier: MIT
// Exercise 2 of lab 05, README.md: read a tile without bank conflicts.
#include <cuda_runtime.h>

/// out(x, y) is the sum of in(0, y) to in(x, y). width * height samples of 8 bits, row by row.
__global__ void row_sums(const unsigned char* d_in, int* d_out, int width, int height) {
    __shared__ int s_tile[32][33];  // row, column; the last one only moves the next row
    const int t = threadIdx.x;
    const int top = blockIdx.x * 32, rows = min(32, height - top);
    int sum = 0;
    for (int left = 0; left < width; left += 32) {
        const int columns = min(32, width - left);
        for (int row = 0; row < rows; ++row)  // thread t has column t
            if (t < columns) s_tile[row][t] = d_in[(top + row) * width + left + t];
        __syncthreads();
        for (int column = 0; column < columns; ++column)  // thread t has row t
            if (t < rows) s_tile[t][column] = sum += s_tile[t][column];
        __syncthreads();
        for (int row = 0; row < rows; ++row)  // thread t has column t
            if (t < columns) d_out[(top + row) * width + left + t] = s_tile[row][t];
    }
}

/// d_in and d_out are device memory. A block of one warp for each 32 rows.
void launch_row_sums(const unsigned char* d_in, int* d_out, int width, int height) {
    row_sums<<<(height + 31) / 32, 32>>>(d_in, d_out, width, height);
}
