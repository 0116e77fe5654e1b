// SPDX-License-Identifier: MIT
// says: thread (0,0,0) reads 4 bytes before the beginning of d_bins, a __device__ variable of 12 bytes, at variable_before_its_beginning.cu:11 (in variable_before_its_beginning.cu:9).
#include <cuda_runtime.h>

#include <cstdio>

__device__ int d_count = 1, d_bins[3] = {1, 2, 3};

__device__ int sum_of_two(const int* bins, int i) { return bins[i - 1] + bins[i]; }

__global__ void smooth(int* out) { out[threadIdx.x] = sum_of_two(d_bins, threadIdx.x) + d_count; }

int main() {
    int *d_out, out[3];
    cudaMalloc(&d_out, sizeof out);
    smooth<<<1, 3>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_out);
}
