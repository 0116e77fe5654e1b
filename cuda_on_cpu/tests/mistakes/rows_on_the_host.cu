// SPDX-License-Identifier: MIT
// says: thread (0,0,0) reads the host's memory of 64 bytes, through a pointer that the host has given to the device, at rows_on_the_host.cu:12
// says: Remedy: a pointer in a struct, a table or a __device__ variable must be one that cudaMalloc has set
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void sum_up(float* const* rows, float* out, int height, int width) {
    float sum = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) sum += rows[y][x];
    *out = sum;
}

int main() {
    const int width = 16, height = 4;
    float* rows[height];
    for (float*& row : rows) {
        row = static_cast<float*>(std::malloc(width * sizeof(float)));
        for (int x = 0; x < width; ++x) row[x] = 1;
    }
    float **d_rows, *d_out, out = 0;
    cudaMalloc(&d_rows, sizeof rows);
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);  // copies addresses, no elements
    sum_up<<<1, 1>>>(d_rows, d_out, height, width);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out));
    for (float* row : rows) std::free(row);
    cudaFree(d_rows);
    cudaFree(d_out);
}
