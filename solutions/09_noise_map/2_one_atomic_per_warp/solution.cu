// SPDX-License-Identifier: MIT
// Exercise 2 of lab 09, README.md: one atomic per warp.
#include <cuda_runtime.h>

/// Writes the numbers of the pixels whose samples differ by more than 20 to d_list, in any order,
/// and adds to *d_length how many they are. Two frames of `pixels` samples of 8 bits.
__global__ void list_changes(const unsigned char* d_previous, const unsigned char* d_current,
                             int* d_length, int* d_list, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool changed = i < pixels && abs(d_current[i] - d_previous[i]) > 20;
    const unsigned all = __ballot_sync(0xFFFFFFFF, changed);  // bit n: lane n's pixel changed
    int first = 0;
    if (lane == 0 && all != 0) first = atomicAdd(d_length, __popc(all));
    first = __shfl_sync(0xFFFFFFFF, first, 0);
    const unsigned before = all & ((1U << lane) - 1);
    if (changed) d_list[first + __popc(before)] = i;
}

/// The frames, the length and the list are device memory; the list has room for all pixels.
void launch_list(const unsigned char* d_previous, const unsigned char* d_current, int* d_length,
                 int* d_list, int pixels) {
    cudaMemset(d_length, 0, sizeof(int));
    list_changes<<<(pixels + 255) / 256, 256>>>(d_previous, d_current, d_length, d_list, pixels);
}
