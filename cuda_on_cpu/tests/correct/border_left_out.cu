// SPDX-License-Identifier: MIT
// The filter leaves a border of one pixel, and the host looks at what is inside.
// says: Note: Kernel blur, launched at border_left_out.cu:
// says: it has not written elements 0 to 1199 (with gaps) of the 1200
// says: It is no mistake, as the host does not use the bytes that were never written.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void blur(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
    out[y * width + x] = (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] +
                          in[(y + 1) * width + x]) /
                         4;
}

int main() {
    const int width = 40, height = 30;
    static float in[height][width], out[height][width];
    for (auto& row : in)
        for (float& value : row) value = 3;
    float *d_in, *d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    blur<<<dim3(3, 2), dim3(16, 16)>>>(d_in, d_out, width, height);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 1; y < height - 1; ++y)
        for (int x = 1; x < width - 1; ++x) wrong += out[y][x] != 3;
    std::printf("%d\n", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
}
