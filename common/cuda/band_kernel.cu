// SPDX-License-Identifier: MIT
// The plain kernel of a band. A thread computes four output samples below each other, so each input
// sample is loaded once for up to four outputs. It takes every border rule.
#include <algorithm>
#include <string>

#include "common/cuda/backend.hpp"
#include "common/cuda/band_kernel.hpp"

namespace convolab {
namespace {

constexpr int kMaxKsize = 9;

/// The filter, passed by value. A kernel's parameters are in constant memory, and each launch has
/// its own copy, so nothing has to be copied to any device.
struct Taps {
    float at[kMaxKsize * kMaxKsize];
};

/// Threads per block: kBlockX samples of a row x kBlockY groups of rows, one group per thread.
constexpr unsigned kBlockX = 64;
constexpr unsigned kBlockY = 4;
constexpr int kRowsPerThread = 4;

/// What the kernel needs to know about the whole image.
struct BandJob : Geometry {
    int channels;
    AnyBorder border;
    std::int64_t in_pitch, out_pitch;
};

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
            (row - band.low) * job.in_pitch + std::int64_t{column} * job.channels + c;
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
    std::uint8_t* d_to = d_out + (y0 - band.first) * job.out_pitch + sample;
    const bool inside = left >= 0 && left + K <= job.width && top >= band.low &&
                        top + kRowsPerThread + K - 1 <= band.high;
    if (!inside) {
        for (int r = 0; r < kRowsPerThread && y0 + r < end; ++r, d_to += job.out_pitch)
            *d_to = at_edge<K>(d_in, job, band, taps, x, y0 + r, c);
        return;
    }
    const std::uint8_t* d_corner = d_in + (top - band.low) * job.in_pitch + left * C + c;
    float sums[kRowsPerThread] = {};
#pragma unroll
    for (int j = 0; j < kRowsPerThread + K - 1; ++j) {
#pragma unroll
        for (int i = 0; i < K; ++i) {
            const float value = d_corner[j * job.in_pitch + i * C];
#pragma unroll
            for (int r = 0; r < kRowsPerThread; ++r)
                if (j >= r && j - r < K) sums[r] += taps.at[(j - r) * K + i] * value;
        }
    }
#pragma unroll
    for (int r = 0; r < kRowsPerThread; ++r, d_to += job.out_pitch)
        if (y0 + r < end) *d_to = to_sample<std::uint8_t>(sums[r], job.divisor);
}

using Kernel = void (*)(const std::uint8_t* d_in, std::uint8_t* d_out, BandJob job, Band band,
                        Taps taps);

Kernel kernel_of_side(int ksize) {
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
            throw Unsupported("The plain kernel is compiled for filters of side 1 to " +
                              std::to_string(kMaxKsize) + ", not " + std::to_string(ksize) + ".");
    }
}

KernelResources resources_of(Kernel kernel) {
    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    KernelResources resources;
    resources.shared_bytes = static_cast<int>(attributes.sharedSizeBytes);
    if (gpu_backend().is_timed()) resources.registers = attributes.numRegs;
    return resources;
}

}  // namespace

Band whole_image(const Job& job) {
    return {0, static_cast<int>(job.out_height()), 0, static_cast<int>(job.image().height())};
}

BandKernel plain_band_kernel(const Job& job, const Band& band) {
    const Kernel kernel = kernel_of_side(job.filter.ksize());
    const BandJob image{geometry_of(job),
                        job.image().channels(),
                        {job.border.rule},
                        job.image().width() * job.image().channels(),
                        job.out_width() * job.image().channels()};
    const std::int64_t out_samples = image.out_pitch;
    const std::int64_t max_rows = std::int64_t{65535} * kBlockY * kRowsPerThread;
    if (out_samples + kBlockX > (std::int64_t{1} << 31) || band.rows > max_rows)
        throw Unsupported("The image is over 2^31 samples wide or " + std::to_string(max_rows) +
                          " rows high, more than the plain kernel counts.");
    const dim3 grid(blocks_for(out_samples, kBlockX),
                    blocks_for(band.rows, kBlockY * kRowsPerThread));
    Taps taps{};
    std::copy(job.filter.taps().begin(), job.filter.taps().end(), taps.at);
    const auto launch = [=](const DeviceBand& at, cudaStream_t stream) {
        BandJob here = image;
        if (at.in_pitch != 0) here.in_pitch = at.in_pitch;
        if (at.out_pitch != 0) here.out_pitch = at.out_pitch;
        kernel<<<grid, dim3(kBlockX, kBlockY), 0, stream>>>(at.d_in, at.d_out, here, band, taps);
    };
    return {launch, {}, {}, resources_of(kernel), grid};
}

BandKernel band_kernel(const Job& job, const Band& band) {
    if (job.settings.kernel == 1) return plain_band_kernel(job, band);
    if (job.settings.kernel != 2)
        throw UnfitSetting("There is no kernel " + std::to_string(job.settings.kernel) +
                           ": 1 is the plain one, 2 the packed one.");
    try {
        if (job.border.rule == BorderRule::renormalise)
            throw Unsupported(
                "The packed kernel leaves the frame of border `renormalise` to another.");
        return packed_band_kernel(job, band);
    } catch (const Unsupported& why) {
        plain_band_kernel(job, band);  // says what it cannot do either
        throw Unsupported(std::string(why.what()) + " Use --kernel 1.");
    }
}

}  // namespace convolab
