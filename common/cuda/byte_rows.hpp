// SPDX-License-Identifier: MIT
// A uint8 image, interleaved, as rows of bytes: what a packed kernel needs to know about a band of
// it. A position t in a row counts bytes from the centre of the first output pixel. A lab puts that
// byte at the start of a 128-byte line in every row of the input and of the output.
#pragma once

#include <cstdint>

#include "common/cuda/band_kernel.hpp"
#include "common/cuda/view.hpp"

namespace convolab {

struct ByteRows {
    const unsigned char* d_in;  ///< t = 0 of the input's first row
    unsigned char* d_out;       ///< t = 0 of the output's first row
    int in_pitch, out_pitch;    ///< bytes from one row to the next
    int first, last;            ///< the input's bytes are t = first .. last - 1
    int out_bytes;              ///< the output's are 0 .. out_bytes - 1
    int rows_per_warp;          ///< of the output
    Geometry job;

    // What is outside the image, by the border rule. If nothing is: -1 for a row, kNothing for a
    // byte.
    static constexpr int kNothing = -(1 << 30);
    static constexpr int kMaxRows = 15;   ///< p of K = 31
    static constexpr int kMaxBytes = 60;  ///< p pixels of 4 channels
    int above[kMaxRows];                  ///< the row at -1 - k
    int below[kMaxRows];                  ///< the row at height + k
    int left[kMaxBytes];                  ///< the t at first - 1 - k
    int right[kMaxBytes];                 ///< the t at last + k

    /// The input row that the border rule puts at y, which is at most p rows away from the image.
    /// Farther away, up to kMaxRows, it is any row.
    __device__ int row(int y) const {
        return y < 0 ? above[-1 - y] : y < job.height ? y : below[y - job.height];
    }
    __device__ const unsigned char* in_row(int row) const {
        return d_in + static_cast<std::int64_t>(row) * in_pitch;
    }
};

/// How the rows of input and output are stored. Throws Unsupported for rows over 2^30 bytes.
DeviceRows packed_input_rows(const Job& job);
DeviceRows packed_output_rows();
/// The distance in bytes of rows with this many bytes.
std::size_t packed_pitch(const DeviceRows& rows, std::int64_t row_bytes);

/// All but the addresses and the rows per warp, which the launch sets.
ByteRows byte_rows(const Job& job, Band band);
/// Adds the addresses, and the pitches if they are given.
ByteRows rows_at(const ByteRows& rows, const DeviceBand& at);
/// True if t = 0 is at a multiple of 16 in all rows.
bool are_aligned(const ByteRows& rows);

}  // namespace convolab
