// SPDX-License-Identifier: MIT
// kind: depends_on_rounding
// The last bits of the sum depend on the order of its threads, and so does its error.
// check: nothing found
// check: rounded differently in another order
#include <cmath>
#include <cstdio>

__global__ void add_up(const float* in, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
}

int main() {
    const int n = 20000;
    static float in[n];
    double exact = 0;
    for (int i = 0; i < n; ++i) exact += in[i] = 100.0F / (i % 97 + 1);
    float *d_in, *d_sum, sum;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof sum);
    add_up<<<(n + 255) / 256, 256>>>(d_in, d_sum, n);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    std::printf("error %g\n", std::fabs(sum - exact));
    cudaFree(d_in);
    cudaFree(d_sum);
}
