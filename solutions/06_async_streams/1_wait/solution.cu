// SPDX-License-Identifier: MIT
// Exercise 1 of lab 06, README.md: wait for the copy.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kPart = 2000;  // samples that go through the buffer at a time

/// 255 - sample of `samples` samples of 8 bits, in place.
__global__ void negative(unsigned char* d_part, int samples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples) d_part[i] = 255 - d_part[i];
}

/// in and out are ordinary memory of the host, `samples` samples of 8 bits. They go part by part
/// through h_part, pinned memory, which the device reads and writes by itself.
void negative_by_parts(const unsigned char* in, unsigned char* out, int samples) {
    unsigned char *h_part, *d_part;
    cudaStream_t stream;
    cudaMallocHost(&h_part, kPart);
    cudaMalloc(&d_part, kPart);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int first = 0; first < samples; first += kPart) {
        const int count = std::min(kPart, samples - first);
        std::copy(in + first, in + first + count, h_part);
        cudaMemcpyAsync(d_part, h_part, count, cudaMemcpyHostToDevice, stream);
        negative<<<(count + 255) / 256, 256, 0, stream>>>(d_part, count);
        cudaMemcpyAsync(h_part, d_part, count, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        std::copy(h_part, h_part + count, out + first);
    }
    cudaStreamDestroy(stream);
    cudaFree(d_part);
    cudaFreeHost(h_part);
}
