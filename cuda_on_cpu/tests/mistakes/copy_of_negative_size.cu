// SPDX-License-Identifier: MIT
// says: A copy writes 18446744071562072601 bytes, at copy_of_negative_size.cu:14: the size is negative.
// says: begin it with a size_t
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    int n = 46341;
    static char image[1000];
    char* d_image;
    cudaMalloc(&d_image, sizeof image);
    const int bytes = n * n;
    cudaMemcpy(d_image, image, bytes, cudaMemcpyHostToDevice);
    cudaFree(d_image);
}
