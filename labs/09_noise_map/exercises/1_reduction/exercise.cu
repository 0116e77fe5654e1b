// SPDX-License-Identifier: MIT
// Exercise 1 of lab 09, README.md: count with a reduction.
#include <cuda_runtime.h>

constexpr int B = 256;  // threads of a block

/// Adds to *d_count the number of pixels whose samples differ by more than 20. Two frames of
/// `pixels` samples of 8 bits.
__global__ void count_changes(const unsigned char* d_previous, const unsigned char* d_current,
                              int* d_count, int pixels) {
    const int i = blockIdx.x * B + threadIdx.x;
    if (i >= pixels) return;
    if (abs(d_current[i] - d_previous[i]) > 20) atomicAdd(d_count, 1);
}

/// The frames and the count are device memory.
void launch_count(const unsigned char* d_previous, const unsigned char* d_current, int* d_count,
                  int pixels) {
    cudaMemset(d_count, 0, sizeof(int));
    count_changes<<<(pixels + B - 1) / B, B>>>(d_previous, d_current, d_count, pixels);
}
