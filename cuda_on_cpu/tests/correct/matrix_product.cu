// SPDX-License-Identifier: MIT
// says: nothing found
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int width = 16;

__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float s_a[width][width], s_b[width][width];
    const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * width + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += width) {
        s_a[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < width; ++i) sum += s_a[threadIdx.y][i] * s_b[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main() {
    const int n = 32;
    const std::size_t bytes = n * n * sizeof(float);
    std::vector<float> a(n * n, 1), c(n * n);
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, a.data(), bytes, cudaMemcpyHostToDevice);
    product<<<dim3(2, 2), dim3(width, width)>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(c[0]));
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
