// SPDX-License-Identifier: MIT
// says: nothing found
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void invert(const unsigned char* in, unsigned char* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 255 - in[y * width + x];
}

int main() {
    const int width = 70, height = 50;
    std::vector<unsigned char> in(width * height, 1), out(width * height);
    unsigned char *d_in, *d_out;
    cudaMalloc(&d_in, width * height);
    cudaMalloc(&d_out, width * height);
    cudaMemcpy(d_in, in.data(), width * height, cudaMemcpyHostToDevice);
    dim3 block(16, 16);
    dim3 grid((width + 16 - 1) / 16, (height + 16 - 1) / 16);
    invert<<<grid, block>>>(d_in, d_out, width, height);
    cudaMemcpy(out.data(), d_out, width * height, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
}
