// SPDX-License-Identifier: MIT
// Exercise 2 of lab 12, README.md: a product in one instruction.
#include "labs/12_tensor/parts/tensor_core.hpp"

__device__ unsigned word(const void* d_bytes) { return *static_cast<const unsigned*>(d_bytes); }

/// out(x, y) is taps[0] in(x, y) + ... + taps[16] in(x + 16, y). d_matrix has 16 rows of 32 numbers;
/// row m has the taps from number m on, else zeros. So output 16 n + m of a row is row m times the
/// samples 16 n to 16 n + 31. d_in has rows of `pitch` samples, a multiple of 16; behind the `width`
/// samples of a row are as many others as the last warp reads. Both begin at multiples of 16 bytes.
__global__ void convolve(const signed char* d_matrix, const unsigned char* d_in, int* d_out,
                         int width, int pitch) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const int first = 128 * blockIdx.x, y = blockIdx.y;
    const unsigned char* d_window = d_in + y * pitch + first;
    const signed char* d_taps = d_matrix + 32 * g + 4 * t;
    const unsigned char* d_samples = d_window + 16 * g + 4 * t;
    const uint4 a = make_uint4(word(d_taps), word(d_taps + 32 * 8), word(d_taps + 16),
                               word(d_taps + 32 * 8 + 16));
    const uint2 b = make_uint2(word(d_samples), word(d_samples + 16));
    const int4 sums = convolab::multiply(a, b, make_int4(0, 0, 0, 0));
    const int left = first + 16 * (2 * t) + g;  // columns 2 t and 2 t + 1, rows g and g + 8
    int* d_row = d_out + y * width;
    if (left < width) d_row[left] = sums.x;
    if (left + 16 < width) d_row[left + 16] = sums.y;
    if (left + 8 < width) d_row[left + 8] = sums.z;
    if (left + 24 < width) d_row[left + 24] = sums.w;
}

/// All are device memory. A block of one warp for 128 outputs of a row.
void launch_convolve(const signed char* d_matrix, const unsigned char* d_in, int* d_out, int width,
                     int height, int pitch) {
    convolve<<<dim3((width + 127) / 128, height), 32>>>(d_matrix, d_in, d_out, width, pitch);
}
