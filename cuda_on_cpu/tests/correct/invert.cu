// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void invert(const unsigned char* in, unsigned char* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 255 - in[y * width + x];
}

int main() {
    const int width = 70, height = 50;
    unsigned char in[width * height] = {}, out[width * height], *d_in, *d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    dim3 block(16, 16);
    dim3 grid((width + 15) / 16, (height + 15) / 16);
    invert<<<grid, block>>>(d_in, d_out, width, height);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
}
