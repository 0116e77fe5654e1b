// SPDX-License-Identifier: MIT
// Exercise 3 of lab 10, README.md: filter and compare in one kernel.
#include <cuda_runtime.h>

constexpr int kWidth = 32, kHeight = 16;  // threads of a block; the inner 30 x 14 have an output

/// The mean of 3 x 3 samples, of which the first is (x, y), rounded. Outside the frame, the sample
/// at its edge counts. All threads of the block call it; those without an output get 0.
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

__global__ void filter(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    __shared__ int s_tile[kHeight][kWidth];
    const int x = blockIdx.x * (kWidth - 2) + threadIdx.x;
    const int y = blockIdx.y * (kHeight - 2) + threadIdx.y;
    const int value = mean(d_in, x - 1, y - 1, width, height, s_tile);
    const bool has_output = threadIdx.x < kWidth - 2 && threadIdx.y < kHeight - 2;
    if (has_output && x < width && y < height) d_out[y * width + x] = value;
}

/// A mark is 255 if the samples differ by more than 20, and 0 otherwise.
__global__ void compare(const unsigned char* d_a, const unsigned char* d_b, unsigned char* d_marks,
                        int samples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples) d_marks[i] = abs(d_a[i] - d_b[i]) > 20 ? 255 : 0;
}

/// All pointers are to device memory, for width * height samples of 8 bits, row by row: two frames,
/// room for two more, and the marks.
void launch_marks(const unsigned char* d_previous, const unsigned char* d_current,
                  unsigned char* d_room, unsigned char* d_marks, int width, int height) {
    const dim3 block(kWidth, kHeight);
    const dim3 grid((width + kWidth - 3) / (kWidth - 2), (height + kHeight - 3) / (kHeight - 2));
    const int samples = width * height;
    filter<<<grid, block>>>(d_previous, d_room, width, height);
    filter<<<grid, block>>>(d_current, d_room + samples, width, height);
    compare<<<(samples + 255) / 256, 256>>>(d_room, d_room + samples, d_marks, samples);
}
