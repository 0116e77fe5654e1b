// SPDX-License-Identifier: MIT
// The second array should begin 64 floats after the first, but its place is computed in chars.
// says: Two arrays share bytes of the dynamic shared memory in kernel add
// says: The array of dynamic_arrays_overlap.cu:17 begins 64 bytes behind that of dynamic_arrays_overlap.cu:16.
// says: a char* counts bytes
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add(const float* in, float* out) {
    extern __shared__ char s_memory[];
    float* const s_first = reinterpret_cast<float*>(s_memory);
    float* const s_second = reinterpret_cast<float*>(s_memory + blockDim.x);
    const int i = threadIdx.x;
    s_first[i] = in[i];
    s_second[i] = 2 * in[i];
    __syncthreads();
    out[i] = s_first[63 - i] + s_second[63 - i];
}

int main() {
    const int n = 64;
    std::vector<float> in(n, 1), out(n);
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<1, n, 2 * n * sizeof(float)>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[0]));
    cudaFree(d_in);
    cudaFree(d_out);
}
