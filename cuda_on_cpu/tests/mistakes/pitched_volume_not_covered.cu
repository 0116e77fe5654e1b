// SPDX-License-Identifier: MIT
// says: elements 4800 to 5999 of the 6000
// says: Its grid has only 8 threads in z (2 blocks of 4).
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(cudaPitchedPtr out, int width, int height, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= width || y >= height || z >= depth) return;
    char* const row = static_cast<char*>(out.ptr) + (z * height + y) * out.pitch;
    reinterpret_cast<float*>(row)[x] = 1;
}

int main() {
    const int width = 30, height = 20, depth = 10;
    static float volume[width * height * depth];
    cudaMemcpy3DParms copy{};
    copy.extent = make_cudaExtent(width * sizeof(float), height, depth);
    copy.dstPtr = make_cudaPitchedPtr(volume, width * sizeof(float), width, height);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMalloc3D(&copy.srcPtr, copy.extent);
    fill<<<dim3(4, 3, depth / 4), dim3(8, 8, 4)>>>(copy.srcPtr, width, height, depth);
    cudaMemcpy3D(&copy);
    float sum = 0;
    for (const float value : volume) sum += value;
    std::printf("%g\n", double(sum));
    cudaFree(copy.srcPtr.ptr);
}
