// SPDX-License-Identifier: MIT
// Structs are filled by their members, and copied whole: their padding is never written, nor an unused member.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Pair {
    char key;
    double value;
};
struct Bits {
    unsigned low : 3, high : 7;
    char c;
};

__global__ void fill(Pair* pairs, float4* points, Bits* bits, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    pairs[i].key = i;
    pairs[i].value = i;
    points[i].x = i;
    points[i].y = 1;
    points[i].z = 2;
    bits[i].low = i;
    bits[i].high = i;
    bits[i].c = i;
}
template <class T>
__global__ void reverse(const T* in, T* out, int n) {
    __shared__ T s_all[64];
    const int i = threadIdx.x;
    if (i < n) s_all[i] = in[i];
    __syncthreads();
    if (i < n) out[i] = s_all[n - 1 - i];
}
__global__ void swap_neighbours(Pair* pairs, int n) {
    const int i = 2 * threadIdx.x;
    if (i + 1 >= n) return;
    const Pair first = pairs[i];
    pairs[i] = pairs[i + 1];
    pairs[i + 1] = first;
}

int main() {
    constexpr int n = 40;
    Pair *d_pairs, *d_reversed;
    float4 *d_points, *d_turned;
    Bits *d_bits, *d_last;
    cudaMalloc(&d_pairs, n * sizeof(Pair));
    cudaMalloc(&d_reversed, n * sizeof(Pair));
    cudaMalloc(&d_points, n * sizeof(float4));
    cudaMalloc(&d_turned, n * sizeof(float4));
    cudaMalloc(&d_bits, n * sizeof(Bits));
    cudaMalloc(&d_last, n * sizeof(Bits));
    fill<<<1, 64>>>(d_pairs, d_points, d_bits, n);
    reverse<<<1, 64>>>(d_pairs, d_reversed, n);
    reverse<<<1, 64>>>(d_points, d_turned, n);
    reverse<<<1, 64>>>(d_bits, d_last, n);
    swap_neighbours<<<1, 64>>>(d_reversed, n);
    std::vector<Pair> pairs(n);
    std::vector<float4> points(n);
    std::vector<Bits> bits(n);
    cudaMemcpy(pairs.data(), d_reversed, n * sizeof(Pair), cudaMemcpyDeviceToHost);
    cudaMemcpy(points.data(), d_turned, n * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(bits.data(), d_last, n * sizeof(Bits), cudaMemcpyDeviceToHost);
    std::printf("%d %d %g %g\n", bits[0].high, pairs[0].key, pairs[n - 1].value,
                points[0].x + points[1].z);
    cudaFree(d_pairs);
    cudaFree(d_reversed);
    cudaFree(d_points);
    cudaFree(d_turned);
    cudaFree(d_bits);
    cudaFree(d_last);
}
