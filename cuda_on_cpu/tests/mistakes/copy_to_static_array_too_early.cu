// SPDX-License-Identifier: MIT
// says: brings device memory to the host before kernel fill, launched at copy_to_static_array_too_early.cu:
// says: one without a stream does not wait for a stream with cudaStreamNonBlocking
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    static int out[8][32];
    int* d_out;
    cudaMalloc(&d_out, sizeof out);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, 256, 0, stream>>>(d_out);
    cudaMemcpy2D(out, 128, d_out, 128, 128, 8, cudaMemcpyDeviceToHost);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", out[0][0]);
    cudaStreamDestroy(stream);
    cudaFree(d_out);
}
