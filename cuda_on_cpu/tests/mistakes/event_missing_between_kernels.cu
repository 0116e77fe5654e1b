// SPDX-License-Identifier: MIT
// says: Kernel twice, launched at event_missing_between_kernels.cu:25, writes device memory of 4000
// says: and kernel twice, launched at event_missing_between_kernels.cu:26, in another stream, reads
// says: nothing says which of the two comes first
#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000;
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    int *a, *b, *c, out[n];
    cudaMalloc(&a, sizeof out);
    cudaMalloc(&b, sizeof out);
    cudaMalloc(&c, sizeof out);
    cudaMemset(a, 1, sizeof out);
    cudaDeviceSynchronize();
    twice<<<(n + 255) / 256, 256, 0, first>>>(a, b, n);
    twice<<<(n + 255) / 256, 256, 0, second>>>(b, c, n);
    cudaStreamSynchronize(second);
    cudaStreamSynchronize(first);
    cudaMemcpy(out, c, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[n - 1]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
