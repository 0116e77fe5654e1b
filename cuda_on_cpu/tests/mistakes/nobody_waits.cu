// SPDX-License-Identifier: MIT
// says: hello, launched at
// says: never ran
// says: cudaDeviceSynchronize()
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hello() { printf("hello from thread %d\n", threadIdx.x); }

int main() {
    hello<<<1, 4>>>();
    std::puts("done");
}
