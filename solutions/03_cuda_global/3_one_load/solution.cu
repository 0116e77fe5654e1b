// SPDX-License-Identifier: MIT
// Exercise 3 of lab 03, README.md: one load per pixel.
#include <cuda_runtime.h>

/// Red, green and blue become the pixel's brightness; its fourth sample, alpha, stays.
/// width * height pixels of 4 * 8 bits, row by row.
__global__ void gray(const uchar4* d_in, uchar4* d_out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uchar4 pixel = d_in[y * width + x];
    const unsigned char brightness = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) / 256;
    d_out[y * width + x] = make_uchar4(brightness, brightness, brightness, pixel.w);
}

/// d_in and d_out are device memory, aligned to 256 bytes as cudaMalloc gives it.
void launch_gray(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    gray<<<grid, block>>>(reinterpret_cast<const uchar4*>(d_in), reinterpret_cast<uchar4*>(d_out),
                          width, height);
}
