// SPDX-License-Identifier: MIT
// Exercise 3 of lab 08, README.md: four pixels are three words.
#include <cuda_runtime.h>

/// d_out[i] is |dR| + |dG| + |dB| of pixel i between two frames, 0 to 765. A frame is `pixels`
/// pixels of 3 samples of 8 bits, side by side.
__global__ void change(const unsigned char* d_previous, const unsigned char* d_current, int* d_out,
                       int pixels) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x, first = 4 * t;
    if (first + 4 <= pixels) {
        const unsigned* previous = reinterpret_cast<const unsigned*>(d_previous) + 3 * t;
        const unsigned* current = reinterpret_cast<const unsigned*>(d_current) + 3 * t;
        int sums[4] = {};
        for (int word = 0; word < 3; ++word) {
            const unsigned p = previous[word], c = current[word];
            for (int b = 0; b < 4; ++b)
                sums[(4 * word + b) / 3] += abs(int(c >> 8 * b & 255) - int(p >> 8 * b & 255));
        }
        reinterpret_cast<int4*>(d_out)[t] = make_int4(sums[0], sums[1], sums[2], sums[3]);
    } else {
        for (int i = first; i < pixels; ++i) {
            d_out[i] = 0;
            for (int b = 3 * i; b < 3 * i + 3; ++b) d_out[i] += abs(d_current[b] - d_previous[b]);
        }
    }
}

/// All of it is device memory, which begins at a multiple of 16 bytes.
void launch_change(const unsigned char* d_previous, const unsigned char* d_current, int* d_out,
                   int pixels) {
    const int groups = (pixels + 3) / 4;  // of four pixels
    change<<<(groups + 127) / 128, 128>>>(d_previous, d_current, d_out, pixels);
}
