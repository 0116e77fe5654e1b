// SPDX-License-Identifier: MIT
// says: Kernel fill, launched at copy_of_older_values.cu:
// says: in another stream, reads the same bytes: nothing says which of the two comes first
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int out[256], *d_out;
    cudaMalloc(&d_out, sizeof out);
    cudaMemset(d_out, 0, sizeof out);
    cudaDeviceSynchronize();
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, 256, 0, stream>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaStreamSynchronize(stream);
    std::printf("%d\n", out[0]);
    cudaStreamDestroy(stream);
    cudaFree(d_out);
}
