// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void fill(float* out, int width, int height, int depth, size_t pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height && z < depth) out[(z * height + y) * pitch + x] = 1;
}

int main() {
    const int width = 30, height = 20, depth = 10;
    static float volume[width * height * depth];
    float *d_out, sum = 0;
    cudaMalloc(&d_out, sizeof volume);
    fill<<<dim3(4, 3, (depth + 3) / 4), dim3(8, 8, 4)>>>(d_out, width, height, depth, width);
    cudaMemcpy(volume, d_out, sizeof volume, cudaMemcpyDeviceToHost);
    for (const float value : volume) sum += value;
    std::printf("%g\n", sum);
    cudaFree(d_out);
}
