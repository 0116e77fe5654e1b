// SPDX-License-Identifier: MIT
// says: The host writes d_count, a __device__ variable, by its name at device_variable_set_by_host.cu:13. A kernel does not see that.
// says: Remedy: give the value to a variable of the host, and copy it: cudaMemcpyToSymbol(d_count, &value, sizeof value).
#include <cuda_runtime.h>

#include <cstdio>

__device__ int d_count;
__global__ void fill(int* out) { out[threadIdx.x] = d_count; }

int main() {
    int *d_out, out[8];
    d_count = 8;
    cudaMalloc(&d_out, sizeof out);
    fill<<<1, 8>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_out);
}
