// SPDX-License-Identifier: MIT
// Virtual functions of objects that a kernel has made, memory that it allocates, a struct whose
// unused element points to the host, vectors that need less than their size.
#include <cstdio>
#include <new>

struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Job {
    float* out;
    const char* name;  // for the host
    long long number;
};

__global__ void make(void* memory) { new (memory) Square(3); }
__global__ void measure(const Shape* shape, Job job, const Job* same, const float* in) {
    float* const sums = static_cast<float*>(malloc(4 * sizeof(float)));
    for (int i = 0; i < 4; ++i) sums[i] = shape->area() + static_cast<float>(same->number);
    const float3 pixel = *reinterpret_cast<const float3*>(in + 1);
    *job.out = sums[3] + pixel.x;
    free(sums);
}

int main() {
    char* const name = new char[16]{'a'};
    float *d_out, *d_in, out = 0;
    void* d_square;
    Job* d_job;
    cudaMalloc(&d_out, sizeof(float));
    cudaMalloc(&d_in, 8 * sizeof(float));
    cudaMemset(d_in, 0, 8 * sizeof(float));
    cudaMalloc(&d_square, sizeof(Square));
    cudaMalloc(&d_job, sizeof(Job));
    const Job job{d_out, name, 1};
    cudaMemcpy(d_job, &job, sizeof job, cudaMemcpyHostToDevice);
    make<<<1, 1>>>(d_square);
    measure<<<1, 1>>>(static_cast<const Shape*>(d_square), job, d_job, d_in);
    cudaMemcpy(&out, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %c\n", double(out), *name);
    delete[] name;
    cudaFree(d_out);
    cudaFree(d_in);
    cudaFree(d_square);
    cudaFree(d_job);
}
