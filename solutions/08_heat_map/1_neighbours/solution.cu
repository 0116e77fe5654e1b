// SPDX-License-Identifier: MIT
// Exercise 1 of lab 08, README.md: neighbouring pixels for neighbouring threads.
#include <cuda_runtime.h>

/// d_out[i] is |dR| + |dG| + |dB| of pixel i between two frames, 0 to 765. A frame is `pixels`
/// pixels of 3 samples of 8 bits, side by side.
__global__ void change(const unsigned char* d_previous, const unsigned char* d_current, int* d_out,
                       int pixels) {
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = thread; i < pixels; i += threads) {
        int sum = 0;
        for (int c = 0; c < 3; ++c) sum += abs(d_current[3 * i + c] - d_previous[3 * i + c]);
        d_out[i] = sum;
    }
}

/// All of it is device memory. The grid is small: a thread has many pixels.
void launch_change(const unsigned char* d_previous, const unsigned char* d_current, int* d_out,
                   int pixels) {
    change<<<4, 128>>>(d_previous, d_current, d_out, pixels);
}
