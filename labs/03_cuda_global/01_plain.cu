// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// plain -- a first CUDA program: allocate, copy in, launch, copy out, free
// Source: new.
// Idea: the GPU has memory of its own. The host allocates room there, copies the picture into it,
//     launches one thread per pixel in blocks of 16 x 16, and copies the result back. For RGB bytes;
//     outside the picture the nearest pixel counts.
// Since lab 01's bounds: no loops over x and y. Each thread takes its pixel from its place in the
//     grid.
// Limit: everything around the kernel. It is allocated, copied and freed anew for each picture, from
//     pageable memory; the kernel is a small part of the time. The next pages time the kernel alone.
// Alone: build/labs/03_cuda_global/lab bench --variant plain --size 1080p
#include "common/convolution/rounding.hpp"
#include "common/cuda/check.hpp"
#include "common/variant/cpu_variant.hpp"

namespace convolab::cuda_global {

static __global__ void convolve(const std::uint8_t* d_in, std::uint8_t* d_out, int width,
                                int height, const float* d_taps, int K, float divisor) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the grid may be larger than the picture
    for (int c = 0; c < 3; ++c) {
        float sum = 0;
        for (int j = 0; j < K; ++j)
            for (int i = 0; i < K; ++i) {
                const int from_x = min(max(x - K / 2 + i, 0), width - 1);
                const int from_y = min(max(y - K / 2 + j, 0), height - 1);
                sum += d_taps[j * K + i] * d_in[(from_y * width + from_x) * 3 + c];
            }
        d_out[(y * width + x) * 3 + c] = round_to_byte(sum, divisor);
    }
}

static void filter(const Unpadded<std::uint8_t>& job, Image& result) {
    if (!(job.border == Border{}) || result.samples() >= std::int64_t{1} << 31)
        throw Unsupported("plain takes border replicate and pictures of less than 2^31 samples.");
    const auto width = static_cast<int>(result.width()), height = static_cast<int>(result.height());
    const std::size_t bytes = result.bytes(), taps_bytes = job.taps.size() * sizeof(float);

    std::uint8_t *d_in = nullptr, *d_out = nullptr;
    float* d_taps = nullptr;
    CUDA_CHECK(cudaMalloc(&d_in, bytes));
    CUDA_CHECK(cudaMalloc(&d_out, bytes));
    CUDA_CHECK(cudaMalloc(&d_taps, taps_bytes));
    CUDA_CHECK(cudaMemcpy(d_in, job.image.data<std::uint8_t>(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_taps, job.taps.data(), taps_bytes, cudaMemcpyHostToDevice));

    const dim3 block(16, 16);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    convolve<<<grid, block>>>(d_in, d_out, width, height, d_taps, job.k, job.divisor);
    CUDA_CHECK(cudaGetLastError());  // whether the launch was possible

    CUDA_CHECK(
        cudaMemcpy(result.data<std::uint8_t>(), d_out, bytes, cudaMemcpyDeviceToHost));  // waits
    CUDA_CHECK(cudaFree(d_taps));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_in));
}

extern const Variant plain =
    cpu_variant({.name = "plain",
                 .idea = "a first CUDA program: allocate, copy in, launch, copy out, free",
                 .run_copies = true,
                 .channels = {3}},
                filter);

}  // namespace convolab::cuda_global
