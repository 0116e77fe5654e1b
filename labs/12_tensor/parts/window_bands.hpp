// SPDX-License-Identifier: MIT
// The windows of a whole picture do not fit into memory. So they are written in bands of output
// rows, four bytes of a window at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/variant/job.hpp"
#include "labs/12_tensor/parts/padded_rows.hpp"

namespace convolab::tensor_cores {

/// The most bytes that the windows of a band take, unless a single row needs more. `lab verify` has
/// small pictures on the emulator, so there this is less: they have several bands, too.
#ifdef CUDA_ON_CPU
inline constexpr std::int64_t kMatrixBytes = 256 << 10;
#else
inline constexpr std::int64_t kMatrixBytes = 256 << 20;
#endif

/// Returns the rows of a band, at least one, if each output sample needs window_bytes. A job
/// without output, which causes an error later, has one, too.
inline int band_rows(const Job& job, std::int64_t window_bytes) {
    const std::int64_t row = window_bytes * job.out_width() * job.image().channels();
    return static_cast<int>(std::clamp<std::int64_t>(kMatrixBytes / std::max<std::int64_t>(row, 1),
                                                     1,
                                                     std::max<std::int64_t>(job.out_height(), 1)));
}

/// Returns the output samples of a band.
inline std::int64_t band_samples(const Job& job, std::int64_t window_bytes) {
    return job.out_width() * job.image().channels() * band_rows(job, window_bytes);
}

/// Returns bytes `tap` to tap + 3 of the window of output byte x of row y. A window is K x K bytes,
/// row by row, and zeros after them.
__device__ inline unsigned window_word(const PaddedRows& image, int x, int y, int tap, int K,
                                       int channels) {
    unsigned four = 0;
    for (int n = 0; n < 4 && tap + n < K * K; ++n) {
        const unsigned byte = image.in_row(y + (tap + n) / K)[x + (tap + n) % K * channels];
        four |= byte << (8 * n);
    }
    return four;
}

}  // namespace convolab::tensor_cores
