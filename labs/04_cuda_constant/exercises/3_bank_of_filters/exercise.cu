// SPDX-License-Identifier: MIT
// Exercise 3 of lab 04, README.md: four filters, each sample read once.
#include <cuda_runtime.h>

constexpr int kFilters = 4;

/// Prewitt's filters: from left to right, diagonal, from top to bottom, the other diagonal.
static __constant__ int c_taps[kFilters][9] = {{-1, 0, 1, -1, 0, 1, -1, 0, 1},
                                               {-1, -1, 0, -1, 0, 1, 0, 1, 1},
                                               {-1, -1, -1, 0, 0, 0, 1, 1, 1},
                                               {0, -1, -1, 1, 0, -1, 1, 1, 0}};

/// out(x, y) is the largest of the filters' sums, at least 0. A sample outside the picture is the
/// nearest one at its edge. d_in holds width * height samples of 8 bits, row by row.
__global__ void edges(const unsigned char* d_in, int* d_out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int largest = 0;
    for (int filter = 0; filter < kFilters; ++filter) {
        int sum = 0;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
                const int column = min(max(x + i - 1, 0), width - 1);
                const int row = min(max(y + j - 1, 0), height - 1);
                sum += c_taps[filter][j * 3 + i] * d_in[row * width + column];
            }
        largest = max(largest, sum);
    }
    d_out[y * width + x] = largest;
}

/// d_in and d_out point to device memory.
void launch_edges(const unsigned char* d_in, int* d_out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    edges<<<grid, block>>>(d_in, d_out, width, height);
}
