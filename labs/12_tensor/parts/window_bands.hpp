// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The windows of a whole picture do not fit into memory: they are written in bands of output rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/convolution/job.hpp"

namespace convolab::tensor_cores {

inline constexpr std::int64_t kMatrixBytes = 256 << 20;  ///< of a band, at most

/// Rows of a band, at least one, with so many bytes for each output sample. A job without output,
/// which is refused later, has one, too.
inline int band_rows(const Job& job, std::int64_t window_bytes) {
    const std::int64_t row = window_bytes * job.out_width() * job.image().channels();
    return static_cast<int>(std::clamp<std::int64_t>(kMatrixBytes / std::max<std::int64_t>(row, 1),
                                                     1,
                                                     std::max<std::int64_t>(job.out_height(), 1)));
}

/// Output samples of a band.
inline std::int64_t band_samples(const Job& job, std::int64_t window_bytes) {
    return job.out_width() * job.image().channels() * band_rows(job, window_bytes);
}

}  // namespace convolab::tensor_cores
