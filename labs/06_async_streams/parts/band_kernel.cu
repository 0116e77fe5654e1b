// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernel of all six variants. A thread computes four output samples below each other, so each
// input sample is loaded once for up to four outputs. The kernel is fast, because the subject of
// this lab is the bus.
#include <string>

#include "labs/06_async_streams/parts/band.hpp"

namespace convolab::async_streams {
namespace {

/// Output pixel (x, y) whose filter reaches past the image or the band: a test per tap.
template <int K>
__device__ std::uint8_t at_edge(const std::uint8_t* d_in, const BandJob& job, const Band& band,
                                const Taps& taps, int x, int y, int c) {
    const bool renormalise = job.border.rule == BorderRule::renormalise;
    float sum = 0;
    float inside = 0;                                        // the sum of the taps on pixels
    for (int tap = 0; tap < job.ksize * job.ksize; ++tap) {  // not K: this loop is not unrolled
        int column = x + job.origin + tap % K;
        int row = y + job.origin + tap / K;
        const bool in_band = band.low <= row && row < band.high;
        const bool found =
            job.border.find(column, job.width) && (in_band || job.border.find(row, job.height));
        if (found) inside += taps.at[tap];
        const std::int64_t at =
            (static_cast<std::int64_t>(row - band.low) * job.width + column) * job.channels + c;
        sum += taps.at[tap] * (found ? static_cast<float>(d_in[at]) : job.outside);
    }
    return round_to_byte(sum, renormalise ? inside : job.divisor.value);
}

/// Each thread computes kRowsPerThread output samples below each other.
template <int K>
__global__ void band_kernel(const std::uint8_t* d_in, std::uint8_t* d_out, BandJob job, Band band,
                            Taps taps) {
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    const int y0 = band.first + (blockIdx.y * blockDim.y + threadIdx.y) * kRowsPerThread;
    const int end = band.first + band.rows;
    const int C = job.channels;
    if (sample >= job.out_width * C || y0 >= end) return;

    const int x = sample / C, c = sample % C;
    const int left = x + job.origin, top = y0 + job.origin;
    std::uint8_t* d_to =
        d_out + static_cast<std::int64_t>(y0 - band.first) * job.out_width * C + sample;
    const bool inside = left >= 0 && left + K <= job.width && top >= band.low &&
                        top + kRowsPerThread + K - 1 <= band.high;
    if (!inside) {
        for (int r = 0; r < kRowsPerThread && y0 + r < end; ++r, d_to += job.out_width * C)
            *d_to = at_edge<K>(d_in, job, band, taps, x, y0 + r, c);
        return;
    }
    const std::int64_t row = static_cast<std::int64_t>(job.width) * C;
    const std::uint8_t* d_corner = d_in + (top - band.low) * row + left * C + c;
    float sums[kRowsPerThread] = {};
    UNROLL
    for (int j = 0; j < kRowsPerThread + K - 1; ++j) {
        UNROLL
        for (int i = 0; i < K; ++i) {
            const float value = d_corner[j * row + i * C];
            UNROLL
            for (int r = 0; r < kRowsPerThread; ++r)
                if (j >= r && j - r < K) sums[r] += taps.at[(j - r) * K + i] * value;
        }
    }
    UNROLL
    for (int r = 0; r < kRowsPerThread; ++r, d_to += job.out_width * C)
        if (y0 + r < end) *d_to = to_sample<std::uint8_t>(sums[r], job.divisor);
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
                              std::to_string(kMaxKsize) + ", not " + std::to_string(ksize) + ".");
    }
}

}  // namespace convolab::async_streams
