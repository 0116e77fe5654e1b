// SPDX-License-Identifier: MIT
// Kernels whose requests are known (../test_count.py). Each is launched once, on one warp if its
// comment gives no other number.
#include <cstdint>
#include <cstdio>

__global__ void stride_1_byte(const char* in, char* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void stride_4_bytes(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void stride_32_bytes(const int* in, int* out) {
    out[8 * threadIdx.x] = in[8 * threadIdx.x];
}
__global__ void misaligned(const int* in, int* out) { out[threadIdx.x + 1] = in[threadIdx.x + 1]; }
__global__ void struct_of_16_bytes(const uint4* in, uint4* out) {
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void broadcast(const int* in, int* out) { out[threadIdx.x] = in[5]; }

template <int stride>
__device__ void walk_shared(int* out) {
    __shared__ int s_words[33 * 32];
    s_words[stride * threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s_words[stride * threadIdx.x];
}
__global__ void shared_1(int* out) { walk_shared<1>(out); }
__global__ void shared_2(int* out) { walk_shared<2>(out); }
__global__ void shared_32(int* out) { walk_shared<32>(out); }
__global__ void shared_33(int* out) { walk_shared<33>(out); }
__global__ void shared_broadcast(int* out) {
    __shared__ int s_word;
    if (threadIdx.x == 0) s_word = 1;
    __syncthreads();
    out[threadIdx.x] = s_word;
}

__global__ void half_warp(const int* in, int* out) {
    if (threadIdx.x < 16) out[threadIdx.x] = in[threadIdx.x];
}
// Lane i makes i % 4 + 1 rounds, so the loop makes 4 requests, of 32, 24, 16 and 8 lanes.
__global__ void rounds(const int* in, int* out) {
    int sum = 0;
    for (unsigned i = 0; i <= threadIdx.x % 4; ++i) sum += in[32 * i + threadIdx.x];
    out[threadIdx.x] = sum;
}
// Each lane loads in two of four rounds: in the last two, or in the first two.
__global__ void test_in_loop(const int* in, int* out) {
    int sum = 0;
    for (unsigned i = 0; i < 4; ++i)
        if ((threadIdx.x < 16) == (i < 2)) sum += in[32 * i + threadIdx.x];
    out[threadIdx.x] = sum;
}
// 16 lanes wait for each other, but the others do not.
__global__ void half_shuffle(const int* in, int* out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_xor_sync(0xffffU, value, 1);
    out[threadIdx.x] = value;
}
// Loads three words of each struct, in two of four rounds.
struct Triple {
    float x, y, z;
};
__global__ void structs_of_12_bytes(const Triple* in, Triple* out) {
    for (unsigned i = 0; i < 4; ++i)
        if ((threadIdx.x < 16) == (i < 2)) out[32 * i + threadIdx.x] = in[32 * i + threadIdx.x];
}
// Runs in 4 blocks of 64 threads.
__global__ void counters(unsigned* bins) {
    __shared__ unsigned s_bins[2];
    if (threadIdx.x < 2) s_bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s_bins[threadIdx.x % 2], 1U);
    __syncthreads();
    if (threadIdx.x < 2) atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

__constant__ float c_taps[32];
__global__ void constants(float* out) { out[threadIdx.x] = c_taps[3] + c_taps[threadIdx.x]; }

// Together the 64 threads make more accesses than a thread may make before the others run.
__global__ void many_rounds(const int* in, int* out) {
    int sum = 0;
    for (unsigned i = 0; i < 2000; ++i) sum += in[(threadIdx.x + i) % 1024];
    out[threadIdx.x] = sum;
}

int main() {
    void *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
    const auto i = static_cast<const int*>(in);
    const auto o = static_cast<int*>(out);
    stride_1_byte<<<1, 32>>>(static_cast<char*>(in), static_cast<char*>(out));
    stride_4_bytes<<<1, 32>>>(i, o);
    stride_32_bytes<<<1, 32>>>(i, o);
    misaligned<<<1, 32>>>(i, o);
    struct_of_16_bytes<<<1, 32>>>(static_cast<uint4*>(in), static_cast<uint4*>(out));
    broadcast<<<1, 32>>>(i, o);
    shared_1<<<1, 32>>>(o);
    shared_2<<<1, 32>>>(o);
    shared_32<<<1, 32>>>(o);
    shared_33<<<1, 32>>>(o);
    shared_broadcast<<<1, 32>>>(o);
    half_warp<<<1, 32>>>(i, o);
    rounds<<<1, 32>>>(i, o);
    test_in_loop<<<1, 32>>>(i, o);
    half_shuffle<<<1, 32>>>(i, o);
    structs_of_12_bytes<<<1, 32>>>(static_cast<Triple*>(in), static_cast<Triple*>(out));
    counters<<<4, 64>>>(static_cast<unsigned*>(out));
    constants<<<1, 32>>>(static_cast<float*>(out));
    many_rounds<<<1, 64>>>(i, o);
    char bytes[4096];
    const cudaError_t error = cudaMemcpy(bytes, out, sizeof bytes, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) std::puts(cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
