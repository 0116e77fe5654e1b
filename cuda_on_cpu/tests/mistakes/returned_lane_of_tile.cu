// SPDX-License-Identifier: MIT
// says: thread (2,0,0) calls shfl_down at returned_lane_of_tile.cu:13: lane 2 reads lane 10, which has returned
// says: such as 0 in a sum
#include <cooperative_groups.h>

#include <cstdio>

__global__ void sum_up(int* out, int n) {
    const auto tile =
        cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    if (threadIdx.x >= n) return;
    int sum = 1;
    for (int step = 8; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
    if (threadIdx.x == 0) *out = sum;
}

int main() {
    int *d_out, out;
    cudaMalloc(&d_out, sizeof(int));
    sum_up<<<1, 32>>>(d_out, 10);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", out);
    cudaFree(d_out);
}
