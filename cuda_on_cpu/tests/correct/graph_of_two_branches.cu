// SPDX-License-Identifier: MIT
// One of two branches fills what the other reads; the graph is launched more than once.
#include <cstdio>

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000, bytes = n * sizeof(int);
    cudaStream_t origin, branch;
    cudaEvent_t fork, filled, join;
    cudaStreamCreate(&origin);
    cudaStreamCreate(&branch);
    cudaEventCreate(&fork);
    cudaEventCreate(&filled);
    cudaEventCreate(&join);
    int *h, *a, *b, *c, *d;
    cudaMallocHost(&h, bytes);
    for (int** const p : {&a, &b, &c, &d}) cudaMalloc(p, bytes);
    cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(a, 1, bytes, origin);
    cudaEventRecord(fork, origin);
    cudaStreamWaitEvent(branch, fork);
    twice<<<4, 256, 0, branch>>>(a, b, n);
    cudaEventRecord(filled, branch);
    twice<<<4, 256, 0, origin>>>(a, c, n);  // both read
    twice<<<4, 256, 0, branch>>>(b, d, n / 2);
    cudaStreamWaitEvent(origin, filled);
    twice<<<4, 256, 0, origin>>>(b, c, n);
    cudaEventRecord(join, branch);
    cudaStreamWaitEvent(origin, join);
    twice<<<4, 256, 0, origin>>>(a, d, n);
    cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, origin);
    cudaGraph_t graph;
    cudaStreamEndCapture(origin, &graph);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, origin);
    twice<<<4, 256, 0, origin>>>(c, d, n);
    cudaStreamSynchronize(origin);
    std::printf("%d\n", h[n - 1]);
    cudaGraphLaunch(exec, branch);
    cudaMemcpyAsync(h, c, bytes, cudaMemcpyDeviceToHost, branch);
    cudaStreamSynchronize(branch);
    std::printf("%d\n", h[0]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFreeHost(h);
    for (int* const p : {a, b, c, d}) cudaFree(p);
}
