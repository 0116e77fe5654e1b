// SPDX-License-Identifier: MIT
// The host waits in a loop until a kernel sets a flag in pinned memory, without a call of CUDA.
#include <cstdio>

__global__ void squares(int* out, int* flag) {
    out[threadIdx.x] = threadIdx.x * threadIdx.x;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch_system(flag, 1);
}

int main() {
    int *flag, *out;
    cudaMallocHost(&flag, sizeof(int));
    cudaMallocHost(&out, 64 * sizeof(int));
    *flag = 0;
    squares<<<1, 64>>>(out, flag);
    while (*static_cast<volatile int*>(flag) == 0) {
    }
    std::printf("%d\n", out[63]);
    cudaDeviceSynchronize();
    cudaFreeHost(out);
    cudaFreeHost(flag);
}
