// SPDX-License-Identifier: MIT
// says: It writes rows of 400 bytes, one behind the other; the copy takes rows that are 512 bytes apart
// says: Remedy: row y begins y * pitch bytes behind the first
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* out, int width) {
    if (threadIdx.x < width) out[blockIdx.x * width + threadIdx.x] = 1;
}

int main() {
    const int width = 100, height = 6;
    std::vector<int> out(width * height);
    int* d_out;
    size_t pitch;
    cudaMallocPitch(&d_out, &pitch, width * sizeof(int), height);
    fill<<<height, 128>>>(d_out, width);
    cudaMemcpy2D(out.data(), width * sizeof(int), d_out, pitch, width * sizeof(int), height,
                 cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_out);
}
