// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The host's side of the packed kernels (strips.hpp), for an image or a band of it: rows that begin on
// lines of 128 bytes, what is outside them, and a launch whose bands suit the size.
#pragma once

#include "common/cuda/convolver.hpp"
#include "common/cuda/launch_shape.hpp"
#include "common/cuda/strips.hpp"

namespace convolab {

/// How the rows of input and output are stored. Throws Unsupported for rows over 2^30 bytes.
DeviceRows packed_input_rows(const Job& job);
DeviceRows packed_output_rows();
/// Bytes from one row of so many bytes to the next.
std::size_t packed_pitch(const DeviceRows& rows, std::int64_t row_bytes);

/// Some rows of the output and the input rows that are in device memory for them, all of which the
/// filter or the border rule finds there.
struct RowsOfBand {
    int first, count;  ///< output
    int low, high;     ///< input: low .. high - 1
};
/// The whole image.
RowsOfBand all_rows(const Job& job);

/// All but the band's height, which strip_shape() sets. d_in, d_out: the first pixels of the buffers.
ByteRows byte_rows(const Job& job, RowsOfBand band, const unsigned char* d_in,
                   unsigned char* d_out);

/// Sets rows.band, a multiple of `ahead`: one wave of blocks where that gives bands of at most 24 rows,
/// otherwise several waves of bands of about `many` rows.
LaunchShape strip_shape(ByteRows& rows, int resident_blocks, int ahead, int many);

}  // namespace convolab
