// SPDX-License-Identifier: MIT
// Two of many floats are copied back, because a kernel reads the others; then four quarters.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
__global__ void first_and_last(float* values, int n) { values[1] = values[n - 1]; }

int main() {
    const int n = 1024;
    std::vector<float> in(n, 1), out(n), two(2);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<n / 256, 256>>>(d_in, d_out);
    for (int i = 0; i < n; i += n / 4)
        cudaMemcpy(out.data() + i, d_out + i, n, cudaMemcpyDeviceToHost);
    twice<<<n / 256, 256>>>(d_out, d_in);
    first_and_last<<<1, 1>>>(d_in, n);
    cudaMemcpy(two.data(), d_in, 8, cudaMemcpyDeviceToHost);
    std::printf("%g %g %g\n", double(out[0]), double(out[n - 1]), double(two[1]));
    cudaFree(d_in);
    cudaFree(d_out);
}
