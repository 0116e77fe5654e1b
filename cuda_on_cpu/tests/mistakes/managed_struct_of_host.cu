// SPDX-License-Identifier: MIT
// says: thread (0,0,0) writes a variable of the host, through a pointer that the host has given to the device, at managed_struct_of_host.cu:10
#include <cuda_runtime.h>

#include <cstdio>

struct Job {
    int* result;
};
__global__ void work(const Job* job) { *job->result = 7; }

int main() {
    int result = 0;
    Job* job;
    cudaMallocManaged(&job, sizeof(Job));
    job->result = &result;
    work<<<1, 1>>>(job);
    cudaDeviceSynchronize();
    std::printf("%d\n", result);
    cudaFree(job);
}
