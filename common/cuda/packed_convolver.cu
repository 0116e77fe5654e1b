// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/base/error.hpp"
#include "common/cuda/packed_convolver.hpp"

namespace convolab {
namespace {

constexpr int kLine = 128;                                     // of the caches
constexpr std::int64_t kMostRowBytes = std::int64_t{1} << 30;  // positions stay an int
constexpr std::int64_t kMostBands = 65535;                     // of a grid in y
constexpr int kMostRowsOfAWave = 24;  // above it several waves were faster (H200, 8K)

int halo_bytes(const Job& job) { return job.filter.radius() * job.image().channels(); }
std::int64_t row_bytes(const Job& job) { return job.image().width() * job.image().channels(); }
bool is_valid(const Job& job) { return job.border.rule == BorderRule::valid; }

/// With border `valid` the centre of the first output pixel is not the first pixel of the row:
/// it is put on a line all the same.
DeviceRows input_rows(const Job& job) {
    if (row_bytes(job) > kMostRowBytes)
        throw Unsupported("A row of the image is over 2^30 bytes, more than the kernel counts.");
    const int lead = is_valid(job) ? (kLine - halo_bytes(job) % kLine) % kLine : 0;
    return {lead, kLine};
}

constexpr unsigned kFrameThreads = 128;

__device__ void frame_pixel(const ByteRows& rows, const float* d_taps, int x, int y) {
    const DeviceJob& job = rows.job;
    const int left = max(0, job.radius - x);  // the taps that lie on pixels
    const int right = min(job.ksize, job.width + job.radius - x);
    const int top = max(0, job.radius - y);
    const int bottom = min(job.ksize, job.height + job.radius - y);
    unsigned char* d_to = rows.d_out + static_cast<std::int64_t>(y) * rows.out_pitch;
    for (int c = 0; c < job.channels; ++c) {
        float sum = 0;
        for (int j = top; j < bottom; ++j) {
            const unsigned char* d_row = rows.in_row(y - job.radius + j);
            for (int i = left; i < right; ++i)
                sum += d_taps[j * job.ksize + i] *
                       static_cast<float>(d_row[(x - job.radius + i) * job.channels + c]);
        }
        d_to[x * job.channels + c] = round_to_byte(sum, job.divisor_at(x, y));
    }
}

/// blockIdx.y: one of the p rows from the top, p from the bottom, p columns from the left, p from
/// the right.
__global__ void frame_kernel(const GRID_CONSTANT ByteRows rows, const float* d_taps) {
    const DeviceJob& job = rows.job;
    const int along = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int line = static_cast<int>(blockIdx.y);
    const int k = line % job.radius;
    const bool is_row = line < 2 * job.radius;
    const int size = is_row ? job.height : job.width;
    const int at = line / job.radius % 2 == 0 ? k : size - 1 - k;
    if (at < 0 || at >= size || along >= (is_row ? job.width : job.height)) return;
    frame_pixel(rows, d_taps, is_row ? along : at, is_row ? at : along);
}

/// The tables of what stands outside.
void describe_outside(ByteRows& rows, const Job& job) {
    const std::int64_t width = job.image().width();
    const std::int64_t height = job.image().height();
    const int channels = job.image().channels();
    const auto row = [&](std::int64_t y) {
        return static_cast<int>(source_index(job.border.rule, y, height));
    };
    const auto byte = [&](std::int64_t at) {  // at: from the row's first byte
        const std::int64_t x = (at < 0 ? at - channels + 1 : at) / channels;
        const std::int64_t column = source_index(job.border.rule, x, width);
        if (column < 0) return ByteRows::kNothing;
        return rows.first + static_cast<int>(column * channels + at - x * channels);
    };
    for (int k = 0; k < ByteRows::kMostRows; ++k) {
        rows.above[k] = row(-1 - k);
        rows.below[k] = row(height + k);
    }
    for (int k = 0; k < ByteRows::kMostBytes; ++k) {
        rows.left[k] = byte(-1 - k);
        rows.right[k] = byte(width * channels + k);
    }
}

}  // namespace

PackedConvolver::PackedConvolver(const Job& job)
    : CudaConvolver(job, stored(job, PixelType::uint8), output_for(job, PixelType::uint8),
                    input_rows(job), DeviceRows{0, kLine}) {
    const int halo = halo_bytes(job);
    rows_.first = is_valid(job) ? -halo : 0;
    rows_.last = rows_.first + static_cast<int>(row_bytes(job));
    rows_.out_bytes = static_cast<int>(job.out_width() * job.image().channels());
    rows_.d_in = d_in<unsigned char>() - rows_.first;
    rows_.d_out = d_out<unsigned char>();
    rows_.in_pitch = static_cast<int>(in_pitch());
    rows_.out_pitch = static_cast<int>(out_pitch());
    rows_.job = device_job_;
    describe_outside(rows_, job);
}

MemoryNeed PackedConvolver::memory(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    need.device += 2 * kLine * (job.image().height() + job.out_height());
    return need;
}

void PackedConvolver::run_frame() {
    const auto longest = static_cast<std::size_t>(std::max(rows_.job.width, rows_.job.height));
    const auto lines = static_cast<unsigned>(4 * rows_.job.radius);
    launch(frame_kernel, dim3(blocks_for(longest, kFrameThreads), lines), kFrameThreads, 0, nullptr,
           rows_, d_taps());
}

LaunchShape PackedConvolver::strips(int resident_blocks, int ahead, int many) {
    const auto over = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    const std::int64_t height = device_job_.out_height;
    const std::int64_t columns = over(rows_.out_bytes, kStripBytes * kStripsABlock);
    const std::int64_t bands_of_a_wave = std::max<std::int64_t>(1, resident_blocks / columns);
    std::int64_t band = over(height, bands_of_a_wave);
    if (over(band, ahead) * ahead > kMostRowsOfAWave) band = many;
    band = over(std::max(band, over(height, kMostBands)), ahead) * ahead;
    rows_.band = static_cast<int>(band);
    return {dim3(static_cast<unsigned>(columns), static_cast<unsigned>(over(height, band))),
            dim3(32, kStripsABlock), 0};
}

}  // namespace convolab
