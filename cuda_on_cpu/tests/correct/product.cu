// SPDX-License-Identifier: MIT
#include <cstdio>

constexpr int width = 16;

__global__ void product(const float* a, float* c, int n) {
    __shared__ float s_a[width][width], s_b[width][width];
    const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * width + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += width) {
        s_a[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = a[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < width; ++i) sum += s_a[threadIdx.y][i] * s_b[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main() {
    const int n = 32;
    float a[n * n], c[n * n], *d_a, *d_c;
    for (float& value : a) value = 1;
    cudaMalloc(&d_a, sizeof a);
    cudaMalloc(&d_c, sizeof c);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    product<<<dim3(2, 2), dim3(width, width)>>>(d_a, d_c, n);
    cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost);
    std::printf("%g\n", c[0]);
    cudaFree(d_a);
    cudaFree(d_c);
}
