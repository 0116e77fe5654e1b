// SPDX-License-Identifier: MIT
// A warp orders its stores by __syncwarp; one lane makes them known to a lane of another warp.
#include <cstdio>

__global__ void hand_over(int* out) {
    __shared__ int s_values[32], s_ready;
    if (threadIdx.x == 0) s_ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        s_values[threadIdx.x] = threadIdx.x;
        __syncwarp();
        if (threadIdx.x == 5) {
            __threadfence_block();
            atomicExch(&s_ready, 1);
        }
    } else {
        if (threadIdx.x == 40) {
            while (atomicAdd(&s_ready, 0) == 0) {
            }
            __threadfence_block();
        }
        __syncwarp();
        out[threadIdx.x - 32] = s_values[63 - threadIdx.x];
    }
}

int main() {
    int out[32], *d_out;
    cudaMalloc(&d_out, sizeof out);
    hand_over<<<1, 64>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_out);
}
