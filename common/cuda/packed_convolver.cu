// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/base/error.hpp"
#include "common/cuda/packed_convolver.hpp"

namespace convolab {
namespace {

constexpr int kLine = 128;                                    // of the caches
constexpr std::int64_t kMaxRowBytes = std::int64_t{1} << 30;  // positions stay an int
constexpr std::int64_t kMaxBands = 65535;                     // of a grid in y
constexpr int kMaxRowsPerWave = 24;  // above it: several waves

int halo_bytes(const Job& job) { return job.filter.radius() * job.image().channels(); }
std::int64_t row_bytes(const Job& job) { return job.image().width() * job.image().channels(); }
bool is_valid(const Job& job) { return job.border.rule == BorderRule::valid; }

/// With border `valid` the centre of the first output pixel is not the first pixel of the row:
/// it is put on a line all the same.
DeviceRows input_rows(const Job& job) {
    if (row_bytes(job) > kMaxRowBytes)
        throw Unsupported("A row of the image is over 2^30 bytes, more than the kernel counts.");
    const int lead = is_valid(job) ? (kLine - halo_bytes(job) % kLine) % kLine : 0;
    return {lead, kLine};
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
    for (int k = 0; k < ByteRows::kMaxRows; ++k) {
        rows.above[k] = row(-1 - k);
        rows.below[k] = row(height + k);
    }
    for (int k = 0; k < ByteRows::kMaxBytes; ++k) {
        rows.left[k] = byte(-1 - k);
        rows.right[k] = byte(width * channels + k);
    }
}

}  // namespace

PackedConvolver::PackedConvolver(const Job& job)
    : CudaConvolver(job, {stored(job, PixelType::uint8), 0, input_rows(job)},
                    {output_for(job, PixelType::uint8), 0, {0, kLine}}),
      rows{} {
    const int halo = halo_bytes(job);
    rows.first = is_valid(job) ? -halo : 0;
    rows.last = rows.first + static_cast<int>(row_bytes(job));
    rows.out_bytes = static_cast<int>(job.out_width() * job.image().channels());
    rows.d_in = d_in<unsigned char>() - rows.first;
    rows.d_out = d_out<unsigned char>();
    rows.in_pitch = static_cast<int>(in_pitch());
    rows.out_pitch = static_cast<int>(out_pitch());
    rows.job = geometry_of(job);
    describe_outside(rows, job);
}

MemoryNeed PackedConvolver::memory(const Job& job) {
    MemoryNeed need = cuda_memory(job);
    need.device += 2 * kLine * (job.image().height() + job.out_height());
    return need;
}

LaunchShape PackedConvolver::strips(int resident_blocks, int ahead, int many) {
    const std::int64_t height = rows.job.out_height;
    const std::int64_t columns = ceil_divide(rows.out_bytes, kStripBytes * kStripsPerBlock);
    const std::int64_t bands_of_a_wave = std::max<std::int64_t>(1, resident_blocks / columns);
    std::int64_t band = ceil_divide(height, bands_of_a_wave);
    if (ceil_divide(band, ahead) * ahead > kMaxRowsPerWave) band = many;
    band = ceil_divide(std::max(band, ceil_divide(height, kMaxBands)), ahead) * ahead;
    rows.band = static_cast<int>(band);
    return {dim3(static_cast<unsigned>(columns), static_cast<unsigned>(ceil_divide(height, band))),
            dim3(32, kStripsPerBlock), 0};
}

}  // namespace convolab
