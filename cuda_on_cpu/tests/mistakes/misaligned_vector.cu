// SPDX-License-Identifier: MIT
// says: thread (0,0,0) uses a float2 at an address that is not a multiple of 8: byte 4 of argument 1
// says: misaligned_vector.cu:13. 15 | const float2 pair = reinterpret_cast<const float2*>(in + 1)[i];
// says: Remedy: a type of n bytes is read and written at multiples of n only
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_pairs(const float* in, float* out, int pairs) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const float2 pair = reinterpret_cast<const float2*>(in + 1)[i];
    out[i] = pair.x + pair.y;
}

int main() {
    const int n = 1001, pairs = n / 2;
    std::vector<float> in(n, 1), out(pairs);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, pairs * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add_pairs<<<(pairs + 255) / 256, 256>>>(d_in, d_out, pairs);
    cudaMemcpy(out.data(), d_out, pairs * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[0]));
    cudaFree(d_in);
    cudaFree(d_out);
}
