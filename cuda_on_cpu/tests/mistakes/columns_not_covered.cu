// SPDX-License-Identifier: MIT
// says: it has not written columns 96 to 99 in each row of 100 that a copy at columns_not_covered.cu:
// says: Its grid has only 96 threads in x (6 blocks of 16).
// says: round the number of blocks in x up, (width + 16 - 1) / 16
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(float* out, int width, int height, size_t pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * pitch / sizeof(float) + x] = 1;
}

int main() {
    const int width = 100, height = 50;
    std::vector<float> out(width * height);
    float* d_out;
    size_t pitch;
    cudaMallocPitch(&d_out, &pitch, width * sizeof(float), height);
    fill<<<dim3(width / 16, (height + 15) / 16), dim3(16, 16)>>>(d_out, width, height, pitch);
    cudaMemcpy2D(out.data(), width * sizeof(float), d_out, pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[0]));
    cudaFree(d_out);
}
