// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void fill(float* out, size_t pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * pitch / sizeof(float) + x] = x;
}

int main() {
    const int width = 100, height = 6, bytes = width * sizeof(float);
    float out[height][width], sum = 0, *d_out;
    size_t pitch;
    cudaMallocPitch(&d_out, &pitch, bytes, height);
    fill<<<dim3((width + 15) / 16, 1), dim3(16, 16)>>>(d_out, pitch, width, height);
    cudaMemcpy2D(out, bytes, d_out, pitch, bytes, height, cudaMemcpyDeviceToHost);
    for (const auto& row : out)
        for (int x = 0; x < width; ++x) sum += row[x];
    std::printf("%g\n", sum);
    cudaFree(d_out);
}
