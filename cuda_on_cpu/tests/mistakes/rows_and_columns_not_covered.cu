// SPDX-License-Identifier: MIT
// says: columns 64 to 69 in each row of 70, and rows 48 to 49 of the 50, that a copy at
// says: Its grid has only 64 threads in x (4 blocks of 16) and 48 threads in y (3 blocks of 16).
// says: (width + 16 - 1) / 16, and the number of blocks in y up, (height + 16 - 1) / 16
#include <cuda_runtime.h>

#include <cstdio>
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
    invert<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(d_in, d_out, width, height);
    cudaMemcpy(out.data(), d_out, width * height, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
}
