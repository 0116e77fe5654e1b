// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernel that all six variants run. A thread computes four samples below each other, so that
// each input sample is loaded once for up to four outputs: the bus, not the kernel, is the subject.
#include <string>

#include "labs/06_async_streams/band.hpp"

namespace convolab::async_streams {
namespace {

/// Sample of pixel (x, y) of the whole image, as its border continues it.
__device__ float band_sample(const std::uint8_t* d_in, const DeviceJob& job, const Band& band,
                             int x, int y, int c) {
    const int column = job.column(x);
    const int row = band.low <= y && y < band.high ? y : job.row(y);
    if (column < 0 || row < band.low) return job.outside;
    return static_cast<float>(d_in[job.in_index(column, row - band.low, c)]);
}

template <int K>
__global__ void band_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, DeviceJob job, Band band,
                            Taps taps) {
    const int sample = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y0 =
        band.first + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * kRowsAThread;
    const int end = band.first + band.rows;
    if (sample >= job.out_width * job.channels || y0 >= end) return;

    const int x = sample / job.channels;
    const int c = sample % job.channels;
    const int left = x + job.origin;
    const int top = y0 + job.origin;
    const bool inside = left >= 0 && left + K <= job.width && top >= band.low &&
                        top + kRowsAThread + K - 1 <= band.high;
    float sums[kRowsAThread] = {};
    if (inside) {
        const std::int64_t row_samples = static_cast<std::int64_t>(job.width) * job.channels;
        const std::uint8_t* d_corner = d_in + job.in_index(left, top - band.low, c);
        UNROLL
        for (int j = 0; j < kRowsAThread + K - 1; ++j) {
            UNROLL
            for (int i = 0; i < K; ++i) {
                const auto value = static_cast<float>(d_corner[j * row_samples + i * job.channels]);
                UNROLL
                for (int r = 0; r < kRowsAThread; ++r)
                    if (j >= r && j - r < K) sums[r] += taps.at[(j - r) * K + i] * value;
            }
        }
    } else {
        UNROLL
        for (int r = 0; r < kRowsAThread; ++r)
            for (int tap = 0; tap < job.ksize * job.ksize; ++tap)  // not K: this one stays a loop
                if (y0 + r < end)
                    sums[r] += taps.at[tap] *
                               band_sample(d_in, job, band, left + tap % K, top + r + tap / K, c);
    }
    UNROLL
    for (int r = 0; r < kRowsAThread; ++r)
        if (y0 + r < end)
            d_out[job.out_index(x, y0 + r - band.first, c)] =
                to_sample<std::uint8_t>(sums[r], job.divisor_at(x, y0 + r));
}

}  // namespace

BandKernel band_kernel_for(int ksize) {
    switch (ksize) {
        case 1:
            return band_kernel<1>;
        case 3:
            return band_kernel<3>;
        case 5:
            return band_kernel<5>;
        case 7:
            return band_kernel<7>;
        case 9:
            return band_kernel<9>;
        default:
            throw Unsupported("The kernel of this lab is compiled for filters of side 1 to " +
                              std::to_string(kMostKsize) + ", not " + std::to_string(ksize) + ".");
    }
}

}  // namespace convolab::async_streams
