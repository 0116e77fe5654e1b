// SPDX-License-Identifier: MIT
#include <algorithm>

#include "common/base/error.hpp"
#include "common/cuda/byte_rows.hpp"

namespace convolab {
namespace {

constexpr int kLine = 128;                                    // of the caches
constexpr std::int64_t kMaxRowBytes = std::int64_t{1} << 30;  // positions stay an int

int halo_bytes(const Job& job) { return job.filter.radius() * job.image().channels(); }
std::int64_t row_bytes(const Job& job) { return job.image().width() * job.image().channels(); }
bool is_valid(const Job& job) { return job.border.rule == BorderRule::valid; }

/// The tables of the rows and bytes that the border rule puts outside the image. Rows count from
/// the first one of the band.
void describe_outside(ByteRows& rows, const Job& job, const Band& band) {
    const std::int64_t width = job.image().width();
    const int channels = job.image().channels();
    const auto row = [&](std::int64_t y) {
        const std::int64_t found = source_index(job.border.rule, y, job.image().height());
        return found < 0 ? -1 : static_cast<int>(found) - band.low;
    };
    const auto byte = [&](std::int64_t at) {  // at: from the row's first byte
        const std::int64_t x = (at < 0 ? at - channels + 1 : at) / channels;
        const std::int64_t column = source_index(job.border.rule, x, width);
        if (column < 0) return ByteRows::kNothing;
        return rows.first + static_cast<int>(column * channels + at - x * channels);
    };
    for (int k = 0; k < ByteRows::kMaxRows; ++k) {
        rows.above[k] = row(band.low - 1 - k);
        rows.below[k] = row(band.high + k);
    }
    for (int k = 0; k < ByteRows::kMaxBytes; ++k) {
        rows.left[k] = byte(-1 - k);
        rows.right[k] = byte(width * channels + k);
    }
}

}  // namespace

/// With border `valid` the centre of the first output pixel is not the first pixel of the row, but
/// it is aligned to a line, too.
DeviceRows packed_input_rows(const Job& job) {
    if (row_bytes(job) > kMaxRowBytes)
        throw Unsupported("A row of the image is over 2^30 bytes, more than the kernel counts.");
    const int lead = is_valid(job) ? (kLine - halo_bytes(job) % kLine) % kLine : 0;
    return {lead, kLine};
}

DeviceRows packed_output_rows() { return {0, kLine}; }

std::size_t packed_pitch(const DeviceRows& rows, std::int64_t row_bytes) {
    return static_cast<std::size_t>(ceil_divide(rows.lead + row_bytes, rows.line)) *
           static_cast<std::size_t>(rows.line);
}

ByteRows byte_rows(const Job& job, Band band) {
    ByteRows rows{};
    rows.first = is_valid(job) ? -halo_bytes(job) : 0;
    rows.last = rows.first + static_cast<int>(row_bytes(job));
    rows.out_bytes = static_cast<int>(job.out_width() * job.image().channels());
    rows.in_pitch = static_cast<int>(packed_pitch(packed_input_rows(job), row_bytes(job)));
    rows.out_pitch = static_cast<int>(packed_pitch(packed_output_rows(), rows.out_bytes));
    rows.job = geometry_of(job);
    // A strip counts the rows that it writes only at the end of the input. So the input ends with
    // the last row that the output needs, even if the buffer continues.
    band.high = std::min(band.high, band.first + band.rows + rows.job.origin + rows.job.ksize - 1);
    rows.job.origin += band.first - band.low;
    rows.job.height = band.high - band.low;
    rows.job.out_height = band.rows;
    describe_outside(rows, job, band);
    return rows;
}

ByteRows rows_at(const ByteRows& rows, const DeviceBand& at) {
    ByteRows here = rows;
    here.d_in = at.d_in - rows.first;
    here.d_out = at.d_out;
    if (at.in_pitch != 0) here.in_pitch = at.in_pitch;
    if (at.out_pitch != 0) here.out_pitch = at.out_pitch;
    return here;
}

bool are_aligned(const ByteRows& rows) {
    const auto address = [](const void* d_at) { return reinterpret_cast<std::uintptr_t>(d_at); };
    const auto pitches = static_cast<std::uintptr_t>(rows.in_pitch | rows.out_pitch);
    return (address(rows.d_in) | address(rows.d_out) | pitches) % 16 == 0;
}

}  // namespace convolab
