// SPDX-License-Identifier: MIT
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

int main() {
    constexpr int m = 3, n = 5, k = 4;
    std::vector<float> a(m * k, 1), b(k * n, 2), c(m * n);
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, a.size() * sizeof(float));
    cudaMalloc(&d_b, b.size() * sizeof(float));
    cudaMalloc(&d_c, c.size() * sizeof(float));
    cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    cublasHandle_t handle;
    cublasCreate(&handle);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cublasSetStream(handle, stream);
    const float one = 1, zero = 0;
    const cublasOperation_t as_stored = CUBLAS_OP_N;
    cublasSgemm(handle, as_stored, as_stored, m, n, k, &one, d_a, m, d_b, k, &zero, d_c, m);
    cudaStreamSynchronize(stream);
    cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (const float value : c) std::printf("%g\n", value);
    cublasDestroy(handle);
    cudaStreamDestroy(stream);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
