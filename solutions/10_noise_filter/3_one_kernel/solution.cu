// SPDX-License-Identifier: MIT
// Exercise 3 of lab 10, README.md: filter and compare in one kernel.
#include <cuda_runtime.h>

constexpr int kWidth = 32, kHeight = 16;  // threads of a block; the inner 30 x 14 have an output

/// The mean of 3 x 3 samples, rounded, the first one is (x, y); those outside the frame are the
/// ones at its edge. All threads of the block call it; those without an output get 0.
__device__ int mean(const unsigned char* d_in, int x, int y, int width, int height,
                    int (&s_tile)[kHeight][kWidth]) {
    const int tx = threadIdx.x, ty = threadIdx.y;
    s_tile[ty][tx] = d_in[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
    __syncthreads();
    if (tx >= kWidth - 2 || ty >= kHeight - 2) return 0;
    int sum = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) sum += s_tile[ty + j][tx + i];
    return (sum + 4) / 9;
}

/// 255 where the filtered samples differ by more than 20, else 0.
__global__ void mark(const unsigned char* d_previous, const unsigned char* d_current,
                     unsigned char* d_marks, int width, int height) {
    __shared__ int s_previous[kHeight][kWidth], s_current[kHeight][kWidth];
    const int x = blockIdx.x * (kWidth - 2) + threadIdx.x;
    const int y = blockIdx.y * (kHeight - 2) + threadIdx.y;
    const int before = mean(d_previous, x - 1, y - 1, width, height, s_previous);
    const int now = mean(d_current, x - 1, y - 1, width, height, s_current);
    const bool has_output = threadIdx.x < kWidth - 2 && threadIdx.y < kHeight - 2;
    if (has_output && x < width && y < height)
        d_marks[y * width + x] = abs(now - before) > 20 ? 255 : 0;
}

/// All are device memory, of width * height samples of 8 bits, row by row: two frames, room for
/// two more, and the marks.
void launch_marks(const unsigned char* d_previous, const unsigned char* d_current,
                  unsigned char* /*d_room*/, unsigned char* d_marks, int width, int height) {
    const dim3 block(kWidth, kHeight);
    const dim3 grid((width + kWidth - 3) / (kWidth - 2), (height + kHeight - 3) / (kHeight - 2));
    mark<<<grid, block>>>(d_previous, d_current, d_marks, width, height);
}
