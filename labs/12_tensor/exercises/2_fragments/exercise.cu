// SPDX-License-Identifier: MIT
// Exercise 2 of lab 12, README.md: a product in one instruction.
#include "labs/12_tensor/parts/tensor_core.hpp"

/// out(x, y) is taps[0] in(x, y) + ... + taps[16] in(x + 16, y). d_matrix has 16 rows of 32 numbers.
/// In row m the taps begin at number m; all other numbers are zero. So output 16 n + m of a row is
/// row m times the samples 16 n to 16 n + 31. d_in has rows of `pitch` samples, a multiple of 16. A
/// row is long enough for all that the last warp reads past the `width` samples. Both arrays begin
/// at multiples of 16 bytes.
__global__ void convolve(const signed char* d_matrix, const unsigned char* d_in, int* d_out,
                         int width, int pitch) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const int first = 128 * blockIdx.x, y = blockIdx.y;
    const unsigned char* d_window = d_in + y * pitch + first;
    int4 sums = make_int4(0, 0, 0, 0);
    for (int k = 0; k < 32; ++k) {
        const int upper = d_matrix[32 * g + k], lower = d_matrix[32 * (g + 8) + k];
        const int left = d_window[16 * (2 * t) + k], right = d_window[16 * (2 * t + 1) + k];
        sums.x += upper * left;
        sums.y += upper * right;
        sums.z += lower * left;
        sums.w += lower * right;
    }
    const int left = first + 16 * (2 * t) + g;  // columns 2 t and 2 t + 1, rows g and g + 8
    int* d_row = d_out + y * width;
    if (left < width) d_row[left] = sums.x;
    if (left + 16 < width) d_row[left + 16] = sums.y;
    if (left + 8 < width) d_row[left + 8] = sums.z;
    if (left + 24 < width) d_row[left + 24] = sums.w;
}

/// All pointers are device memory. A block is one warp and computes 128 outputs of a row.
void launch_convolve(const signed char* d_matrix, const unsigned char* d_in, int* d_out, int width,
                     int height, int pitch) {
    convolve<<<dim3((width + 127) / 128, height), 32>>>(d_matrix, d_in, d_out, width, pitch);
}
