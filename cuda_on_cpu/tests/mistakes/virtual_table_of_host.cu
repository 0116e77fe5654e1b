// SPDX-License-Identifier: MIT
// says: thread (0,0,0) calls a virtual function of an object that the host has made, at virtual_table_of_host.cu:17
// says: Remedy: make the object in a kernel
#include <cuda_runtime.h>

#include <cstdio>

struct Shape {
    __host__ __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __host__ __device__ explicit Square(float s) : side(s) {}
    __host__ __device__ float area() const override { return side * side; }
};

__global__ void measure(const Shape* shape, float* out) { *out = shape->area(); }

int main() {
    Square square(3), *d_square;
    float *d_out, out = 0;
    cudaMalloc(&d_square, sizeof square);
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_square, &square, sizeof square, cudaMemcpyHostToDevice);
    measure<<<1, 1>>>(d_square, d_out);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out));
    cudaFree(d_square);
    cudaFree(d_out);
}
