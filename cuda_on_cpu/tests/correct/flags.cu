// SPDX-License-Identifier: MIT
// kind: race_of_flag
// kind: race_of_flag
// check: Note: A race in kernel hand_over, launched at
// check: It is volatile, and written behind a fence.
// A warp, and a block, wait for another by a volatile flag, with fences on both sides.
#include <cstdio>

__global__ void hand_over(int* out) {
    __shared__ int s_values[32];
    __shared__ volatile int s_ready;
    if (threadIdx.x == 0) s_ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        s_values[threadIdx.x] = threadIdx.x;
        __syncwarp();
        if (threadIdx.x == 0) {
            __threadfence_block();
            s_ready = 1;
        }
    } else {
        if (threadIdx.x == 32) {
            while (s_ready == 0) {
            }
            __threadfence_block();
        }
        __syncwarp();
        out[threadIdx.x - 32] = s_values[63 - threadIdx.x];
    }
}
__global__ void add_up(volatile int* ready, int* ticket, int* sums) {
    const int block = atomicAdd(ticket, 1);
    int before = 0;
    if (block > 0) {
        while (ready[block - 1] == 0) {
        }
        __threadfence();
        before = sums[block - 1];
    }
    sums[block] = before + block;
    __threadfence();
    ready[block] = 1;
}

int main() {
    int out[32], *d_out, *d_ready;
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_ready, 9 * sizeof(int));
    cudaMemset(d_ready, 0, 9 * sizeof(int));
    hand_over<<<1, 64>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    add_up<<<8, 1>>>(d_ready, d_ready + 8, d_out);
    cudaMemcpy(out, d_out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[7]);
    cudaFree(d_out);
    cudaFree(d_ready);
}
