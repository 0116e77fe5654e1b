// SPDX-License-Identifier: MIT
// options: -std=c++17
// Kernels read results through a texture, a struct, a list, a __device__ pointer, and strings of a few bytes.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Node {
    int value;
    Node* next;
};
struct List {
    Node* head;
    const char* name;
};
__device__ float* d_weights;

__global__ void fill(float* values) { values[threadIdx.x] = threadIdx.x; }
__global__ void link(Node* nodes) {
    const int i = threadIdx.x;
    nodes[i] = {i, i < 31 ? nodes + i + 1 : nullptr};
}
__global__ void sum_up(List* list, cudaTextureObject_t factors, float* out) {
    float sum = 0;
    for (Node* node = list->head; node != nullptr; node = node->next)
        sum += d_weights[node->value] * tex1Dfetch<float>(factors, node->value);
    *out = sum;
    printf("%s\n", list->name);
}

struct Scale {
    float by;
    void apply(std::vector<float>& values) const {
        std::for_each(values.begin(), values.end(), [=](float& value) { value *= by; });
    }
};

int main() {
    float *weights, *factors, *d_out;
    std::vector<float> out(1);
    Node* nodes;
    char* name;
    List* list;
    cudaMalloc(&weights, 32 * sizeof(float));
    cudaMalloc(&factors, 32 * sizeof(float));
    cudaMalloc(&nodes, 32 * sizeof(Node));
    cudaMalloc(&name, 4);
    cudaMalloc(&list, sizeof(List));
    cudaMalloc(&d_out, sizeof(float));
    const List h_list{nodes, name};
    cudaMemcpy(name, "all", 4, cudaMemcpyHostToDevice);
    cudaMemcpy(list, &h_list, sizeof h_list, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_weights, &weights, sizeof weights);
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeLinear;
    what.res.linear = {factors, cudaCreateChannelDesc<float>(), 32 * sizeof(float)};
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &what, &how, nullptr);
    fill<<<1, 32>>>(weights);
    fill<<<1, 32>>>(factors);
    link<<<1, 32>>>(nodes);
    sum_up<<<1, 1>>>(list, texture, d_out);
    cudaMemcpy(out.data(), d_out, sizeof(float), cudaMemcpyDeviceToHost);
    Scale{2}.apply(out);
    std::printf("%g\n", out[0]);
    cudaDestroyTextureObject(texture);
    for (void* memory :
         {(void*)weights, (void*)factors, (void*)nodes, (void*)name, (void*)list, (void*)d_out})
        cudaFree(memory);
}
