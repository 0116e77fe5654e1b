// SPDX-License-Identifier: MIT
// plain -- a first CUDA program: allocate, copy in, launch, copy out, free
// Source: new.
// Idea: the GPU has its own memory. The host allocates room there, copies the picture into it,
//     launches one thread for each pixel, and copies the result back. The picture consists of RGB
//     bytes, and the host has added a border of K / 2 pixels.
// Since lab 01's flat: the loops over x and y are gone. A thread finds its pixel by its place in
//     the grid.
// Limit: the allocations and copies, because the kernel takes only a small part of the time. The
//     next files time the kernel alone.
// Alone: build/labs/03_cuda_global/lab bench --variant plain --size 1080p
// CUDA_CHECK throws if a call fails, and what was allocated before is then not freed. A program that
// goes on after an error frees it.
#include "common/convolution/rounding.hpp"
#include "common/cuda/check.hpp"
#include "common/variant/cpu_variant.hpp"
#include "labs/03_cuda_global/variants.hpp"

namespace convolab::cuda_global {

static __global__ void convolve(const std::uint8_t* d_in, std::uint8_t* d_out, int width,
                                int height, const float* d_taps, int K, float divisor) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the guard: the grid may be larger than the picture
    const std::size_t in_row = (width + K - 1) * 3, out_row = width * 3;
    for (int c = 0; c < 3; ++c) {
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i)
                sum += d_taps[j * K + i] * d_in[(y + j) * in_row + (x + i) * 3 + c];
        d_out[y * out_row + x * 3 + c] = round_to_byte(sum, divisor);
    }
}

static void filter(const Padded<std::uint8_t>& job, Image& result) {
    const auto width = static_cast<int>(result.width()), height = static_cast<int>(result.height());
    const auto* h_in = job.image.data<std::uint8_t>();
    auto* h_out = result.data<std::uint8_t>();
    const std::size_t taps_bytes = job.taps.size() * sizeof(float);

    std::uint8_t *d_in = nullptr, *d_out = nullptr;
    float* d_taps = nullptr;
    CUDA_CHECK(cudaMalloc(&d_in, job.image.bytes()));
    CUDA_CHECK(cudaMalloc(&d_out, result.bytes()));
    CUDA_CHECK(cudaMalloc(&d_taps, taps_bytes));
    CUDA_CHECK(cudaMemcpy(d_in, h_in, job.image.bytes(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_taps, job.taps.data(), taps_bytes, cudaMemcpyHostToDevice));

    const dim3 block(16, 16);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    convolve<<<grid, block>>>(d_in, d_out, width, height, d_taps, job.k, job.divisor);
    CUDA_CHECK(cudaGetLastError());  // tells whether the launch was possible

    CUDA_CHECK(cudaMemcpy(h_out, d_out, result.bytes(), cudaMemcpyDeviceToHost));  // waits
    CUDA_CHECK(cudaFree(d_taps));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
}

// Declared like a variant of the CPU, so that the whole function is timed, with its copies.
const Variant plain =
    cpu_variant({.name = "plain",
                 .idea = "a first CUDA program: allocate, copy in, launch, copy out, free",
                 .run_copies = true,
                 .channels = {3}},
                filter);

}  // namespace convolab::cuda_global
