// SPDX-License-Identifier: MIT
// says: The host reads managed memory of 4 bytes at one_device_not_waited_for.cu:36 before kernel total,
// says: launched at one_device_not_waited_for.cu:32, has run.
// says: with cudaSetDevice(1) and cudaDeviceSynchronize(), which waits for the current device only
#include <cstdio>
#include <cstdlib>

__global__ void total(const float* values, float* sum, int n) {
    __shared__ float s_sums[256];
    float own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += values[i];
    s_sums[threadIdx.x] = own;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s_sums[threadIdx.x] += s_sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *sum = s_sums[0];
}

int main() {
    setenv("CUDA_ON_CPU_DEVICES", "2", 1);
    const int n = 5000;
    float *values[2], *sum[2];
    for (int device = 0; device < 2; ++device) {
        cudaSetDevice(device);
        cudaMallocManaged(&values[device], n * sizeof(float));
        cudaMallocManaged(&sum[device], sizeof(float));
        for (int i = 0; i < n; ++i) values[device][i] = 1;
    }
    for (int device = 0; device < 2; ++device) {
        cudaSetDevice(device);
        total<<<1, 256>>>(values[device], sum[device], n);
    }
    cudaSetDevice(0);
    cudaDeviceSynchronize();  // waits for this device only
    std::printf("%g\n", *sum[0] + *sum[1]);
    for (int device = 0; device < 2; ++device) {
        cudaFree(values[device]);
        cudaFree(sum[device]);
    }
}
