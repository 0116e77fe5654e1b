// SPDX-License-Identifier: MIT
// kind: race_of_kept_value
// kind: race_of_kept_value
// check: Note: A race in kernel step, launched at
// check: Each store leaves the value as it was.
// Floyd-Warshall in place: a step reads its own row and column, which it does not change.
#include <cstdio>

__global__ void step(int* d, int n, int k) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < n) d[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);
}
__global__ void all_steps(int* d) {
    __shared__ int s[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = d[y * 16 + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
        s[y][x] = min(s[y][x], s[y][k] + s[k][x]);
        __syncthreads();
    }
    d[y * 16 + x] = s[y][x];
}

int main() {
    constexpr int n = 40;
    int h[n * n], *d;
    for (int i = 0; i < n * n; ++i) h[i] = i % (n + 1) == 0 ? 0 : i * 37 % 101 + 1;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    for (int k = 0; k < n; ++k) step<<<dim3(2, n), 32>>>(d, n, k);
    all_steps<<<1, dim3(16, 16)>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", h[1], h[n - 1]);
    cudaFree(d);
}
