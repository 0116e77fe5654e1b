// SPDX-License-Identifier: MIT
// The host's rows are as far apart as those of the device, so that one plain copy brings them all.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(float* out, size_t pitch, int width) {
    if (threadIdx.x < width) out[blockIdx.x * pitch / sizeof(float) + threadIdx.x] = threadIdx.x;
}

int main() {
    const int width = 100, height = 6;
    float* d_out;
    size_t pitch;
    cudaMallocPitch(&d_out, &pitch, width * sizeof(float), height);
    fill<<<height, 128>>>(d_out, pitch, width);
    std::vector<float> out(pitch / sizeof(float) * height);
    cudaMemcpy(out.data(), d_out, pitch * height, cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) sum += out[y * pitch / sizeof(float) + x];
    std::printf("%.0f\n", sum);
    cudaFree(d_out);
}
