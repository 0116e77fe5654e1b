// SPDX-License-Identifier: MIT
// says: Kernel twice, launched at event_missing_in_graph.cu:30, writes device memory of 4000 bytes
// says: and kernel twice, launched at event_missing_in_graph.cu:31, in another branch of the graph,
// says: nothing says which of the two comes first
#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    const int n = 1000;
    cudaStream_t origin, branch;
    cudaEvent_t fork, join;
    cudaStreamCreate(&origin);
    cudaStreamCreate(&branch);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    int *a, *b, *c, out[n];
    cudaMalloc(&a, sizeof out);
    cudaMalloc(&b, sizeof out);
    cudaMalloc(&c, sizeof out);
    cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(a, 1, sizeof out, origin);
    cudaEventRecord(fork, origin);
    cudaStreamWaitEvent(branch, fork);
    twice<<<(n + 255) / 256, 256, 0, branch>>>(a, b, n);
    twice<<<(n + 255) / 256, 256, 0, origin>>>(b, c, n);
    cudaEventRecord(join, branch);
    cudaStreamWaitEvent(origin, join);
    cudaGraph_t graph;
    cudaStreamEndCapture(origin, &graph);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph);
    cudaGraphLaunch(exec, origin);
    cudaStreamSynchronize(origin);
    cudaMemcpy(out, c, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[n - 1]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
