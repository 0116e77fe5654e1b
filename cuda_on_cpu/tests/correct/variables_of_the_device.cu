// SPDX-License-Identifier: MIT
// Constants with values, or filled as far as they are read; a counter that begins at 0; a table
// that only the host reads.
#include <cstdio>

__constant__ float c_taps[64];
__constant__ int c_offsets[4] = {0, 1, 0, 2};
__constant__ const int c_limits[2] = {3, 4};
__device__ int d_count;
__device__ float d_table[4], *d_results;

__global__ void work(int taps) {
    float sum = 0;
    for (int i = 0; i < taps; ++i) sum += c_taps[i] + c_offsets[i & 3];
    d_table[threadIdx.x & 3] = 1;
    d_results[threadIdx.x] = sum + c_limits[threadIdx.x & 1];
    atomicAdd(&d_count, 1);
}

int main() {
    float taps[9], out[8], *results;
    for (float& tap : taps) tap = 1;
    cudaMalloc(&results, sizeof out);
    cudaMemcpyToSymbol(c_taps, taps, sizeof taps);
    cudaMemcpyToSymbol(d_results, &results, sizeof results);
    work<<<1, 8>>>(9);
    int count = 0;
    float table[4];
    cudaMemcpyFromSymbol(&count, d_count, sizeof count);
    cudaMemcpyFromSymbol(table, d_table, sizeof table);
    cudaMemcpy(out, results, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d %g %g %d\n", count, double(table[3]), double(out[7]), c_limits[1]);
    cudaFree(results);
}
