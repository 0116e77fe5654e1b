// SPDX-License-Identifier: MIT
// says: thread (8,0,0) writes 1 byte past the end of the __shared__ variables,
// says: at tile_pointer_past_its_end.cu:12
// says: Remedy: the index into a tile is y * its width + x
#include <cuda_runtime.h>

#include <cstdio>

__global__ void copy(const float* in, float* out, int width) {
    __shared__ float s_tile[8][32];
    float* const tile = &s_tile[0][0];
    tile[threadIdx.x * 32 + threadIdx.y] = in[threadIdx.y * width + threadIdx.x];  // x and y
    __syncthreads();
    out[threadIdx.y * width + threadIdx.x] = tile[threadIdx.x * 32 + threadIdx.y];
}

int main() {
    const int width = 32, height = 8;
    static float picture[width * height];
    float *d_in, *d_out;
    cudaMalloc(&d_in, sizeof picture);
    cudaMalloc(&d_out, sizeof picture);
    cudaMemcpy(d_in, picture, sizeof picture, cudaMemcpyHostToDevice);
    copy<<<1, dim3(32, 8)>>>(d_in, d_out, width);
    if (cudaMemcpy(picture, d_out, sizeof picture, cudaMemcpyDeviceToHost) == cudaSuccess)
        std::printf("%g\n", double(picture[0]));
    cudaFree(d_in);
    cudaFree(d_out);
}
