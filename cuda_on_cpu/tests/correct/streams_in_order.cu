// SPDX-License-Identifier: MIT
// Two streams whose work is ordered by events, by the default stream and by waits of the host.
#include <cstdio>

__global__ void add(const int* in, int* out, int n, int what) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + what;
}

int main() {
    const int n = 1000, bytes = n * sizeof(int);
    cudaStream_t copies, kernels;
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    cudaEvent_t filled, read;
    cudaEventCreate(&filled);
    cudaEventCreate(&read);
    int *h, *in, *out;
    cudaMallocHost(&h, bytes);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    for (int i = 0; i < n; ++i) h[i] = i;
    for (int frame = 0; frame < 3; ++frame) {
        cudaStreamWaitEvent(copies, read);
        cudaMemcpyAsync(in, h, bytes, cudaMemcpyHostToDevice, copies);
        cudaEventRecord(filled, copies);
        cudaStreamWaitEvent(kernels, filled);
        add<<<4, 256, 0, kernels>>>(in, out, n, frame);
        cudaEventRecord(read, kernels);
    }
    add<<<4, 256>>>(out, in, n, 1);  // waits for both streams, and they for it
    add<<<4, 256, 0, copies>>>(in, out, n, 1);
    cudaStreamSynchronize(copies);
    cudaMemcpyAsync(h, out, bytes, cudaMemcpyDeviceToHost, kernels);
    add<<<2, 256, 0, copies>>>(out, in, n / 2, 0);  // both read
    add<<<2, 256, 0, kernels>>>(out + n / 2, in + n / 2, n / 2, 0);
    cudaDeviceSynchronize();
    std::printf("%d\n", h[n - 1]);
    cudaFree(in);
    cudaFree(out);
    cudaFreeHost(h);
    cudaEventDestroy(filled);
    cudaEventDestroy(read);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
}
