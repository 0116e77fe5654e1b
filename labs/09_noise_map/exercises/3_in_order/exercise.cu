// SPDX-License-Identifier: MIT
// Exercise 3 of lab 09, README.md: in order, by a scan.
#include <cuda_runtime.h>

constexpr int B = 256;  // threads of a block

/// The sum of the values of all threads before this one. All threads of the block call it, once.
__device__ int sum_before(int value) {
    __shared__ int s_values[B];
    s_values[threadIdx.x] = value;
    __syncthreads();
    int sum = 0;
    for (int t = 0; t < int(threadIdx.x); ++t) sum += s_values[t];
    return sum;
}

/// Block b counts the pixels of 256 b to 256 b + 255 whose samples differ by more than 20.
__global__ void count_changes(const unsigned char* d_previous, const unsigned char* d_current,
                              int* d_counts, int pixels) {
    const int i = blockIdx.x * B + threadIdx.x;
    const bool changed = i < pixels && abs(d_current[i] - d_previous[i]) > 20;
    const int before = sum_before(changed);
    if (threadIdx.x == B - 1) d_counts[blockIdx.x] = before + changed;
}

/// For one block: each count becomes the sum of all counts before it.
__global__ void scan_counts(int* d_counts, int* d_length, int counts) {
    const int t = threadIdx.x, mine = t < counts ? d_counts[t] : 0;
    const int before = sum_before(mine);
    if (t < counts) d_counts[t] = before;
    if (t == B - 1) *d_length = before + mine;
}

__global__ void write_list(const unsigned char* d_previous, const unsigned char* d_current,
                           const int* d_counts, int* d_list, int pixels) {
    const int i = blockIdx.x * B + threadIdx.x;
    const bool changed = i < pixels && abs(d_current[i] - d_previous[i]) > 20;
    const int place = d_counts[blockIdx.x] + sum_before(changed);
    if (changed) d_list[place] = i;
}

/// All pointers are to device memory: two frames of at most B * B samples of 8 bits, room for B
/// counts, the length of the list, and the list of changed pixels.
void launch_list(const unsigned char* d_previous, const unsigned char* d_current, int* d_counts,
                 int* d_length, int* d_list, int pixels) {
    const int blocks = (pixels + B - 1) / B;
    count_changes<<<blocks, B>>>(d_previous, d_current, d_counts, pixels);
    scan_counts<<<1, B>>>(d_counts, d_length, blocks);
    write_list<<<blocks, B>>>(d_previous, d_current, d_counts, d_list, pixels);
}
