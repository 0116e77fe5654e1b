// SPDX-License-Identifier: MIT
// Since Volta a lane may wait in a loop for another one of its warp.
#include <cstdio>

__global__ void wait_for_lane(int* out) {
    __shared__ int s_flag;
    if (threadIdx.x == 0) s_flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicAdd(&s_flag, 0) == 0) {
        }
        *out = 7;
    }
    if (threadIdx.x == 31) atomicExch(&s_flag, 1);
}

int main() {
    int *d_out, out;
    cudaMalloc(&d_out, sizeof(int));
    wait_for_lane<<<1, 32>>>(d_out);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_out);
}
