// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <cstdio>

#include "convolab.hpp"

int main() try {
    constexpr int width = 1920, height = 1080;
    std::size_t pitch = 0;
    std::uint8_t *d_in = nullptr, *d_out = nullptr;
    cudaMallocPitch(&d_in, &pitch, 3 * width, height);
    cudaMallocPitch(&d_out, &pitch, 3 * width, height);
    cudaMemset(d_in, 100, pitch * height);
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);

    const convolab::lib::Gpu blur({.width = width,
                                   .height = height,
                                   .channels = 3,
                                   .taps = {1, 2, 1, 2, 4, 2, 1, 2, 1},
                                   .divisor = 16});
    const auto bytes = static_cast<std::int64_t>(pitch);
    const convolab::lib::Input in{d_in, width, height, 3, bytes};
    const convolab::lib::Output out{d_out, width, height, 3, bytes};
    blur.run(in, out, stream);

    std::uint8_t first = 0;
    cudaMemcpyAsync(&first, d_out, 1, cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
    std::printf("%s: 100 becomes %d\n", blur.which(in, out).c_str(), first);
    cudaStreamDestroy(stream);
    cudaFree(d_in);
    cudaFree(d_out);
} catch (const convolab::lib::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
