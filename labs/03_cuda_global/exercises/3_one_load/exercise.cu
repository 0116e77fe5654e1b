// SPDX-License-Identifier: MIT
// Exercise 3 of lab 03, README.md: one load per pixel.
#include <cuda_runtime.h>

/// Red, green and blue become the pixel's brightness; its fourth sample, alpha, stays. A picture is
/// width * height pixels of 4 bytes, row by row.
__global__ void gray(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int red = 4 * (y * width + x);  // the index of the pixel's first sample
    const unsigned char brightness =
        (77 * d_in[red] + 150 * d_in[red + 1] + 29 * d_in[red + 2]) / 256;
    d_out[red] = brightness;
    d_out[red + 1] = brightness;
    d_out[red + 2] = brightness;
    d_out[red + 3] = d_in[red + 3];
}

/// d_in and d_out are device memory from cudaMalloc, so they are aligned to 256 bytes.
void launch_gray(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    gray<<<grid, block>>>(d_in, d_out, width, height);
}
