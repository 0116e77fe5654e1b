// SPDX-License-Identifier: MIT
// says: elements 4800 to 5999 of the 6000
// says: Its grid has only 8 threads in z (2 blocks of 4).
// says: Remedy: round the number of blocks in z up, (depth + 4 - 1) / 4, and guard it
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* out, int width, int height, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height && z < depth) out[(z * height + y) * width + x] = 1;
}

int main() {
    const int width = 30, height = 20, depth = 10;
    static float volume[width * height * depth];
    float* d_out;
    cudaMalloc(&d_out, sizeof volume);
    fill<<<dim3(4, 3, depth / 4), dim3(8, 8, 4)>>>(d_out, width, height, depth);
    cudaMemcpy(volume, d_out, sizeof volume, cudaMemcpyDeviceToHost);
    float sum = 0;
    for (const float value : volume) sum += value;
    std::printf("%g\n", double(sum));
    cudaFree(d_out);
}
