// SPDX-License-Identifier: MIT
// says: takes 2400 bytes in one piece, but the rows of this device memory are 512 bytes apart
// says: Remedy: cudaMemcpy2D(
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* out, size_t pitch, int width) {
    int* const row = reinterpret_cast<int*>(reinterpret_cast<char*>(out) + blockIdx.x * pitch);
    if (threadIdx.x < width) row[threadIdx.x] = 1;
}

int main() {
    const int width = 100, height = 6;
    std::vector<int> out(width * height);
    int* d_out;
    size_t pitch;
    cudaMallocPitch(&d_out, &pitch, width * sizeof(int), height);
    fill<<<height, 128>>>(d_out, pitch, width);
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_out);
}
