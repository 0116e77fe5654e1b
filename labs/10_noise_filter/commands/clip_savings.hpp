// SPDX-License-Identifier: MIT
// What a filter and thresholds save of a clip: the rows of `lab savings`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/measurement/csv.hpp"

namespace convolab::noise_filter {

struct SavingsQuestion {
    std::string video;          ///< a clip, as `lab run` takes it
    std::optional<int> length;  ///< frames at most
    std::vector<int> thresholds = {0, 5, 20};
};

inline const std::vector<std::string> kSavingsColumns = {"video",
                                                         "width",
                                                         "height",
                                                         "frames",
                                                         "filter",
                                                         "ksize",
                                                         "threshold",
                                                         "changed_pixels",
                                                         "changed_samples",
                                                         "filtered_psnr_db",
                                                         "received_psnr_db",
                                                         "stream_bytes",
                                                         "stream_share",
                                                         "ffv1_bytes",
                                                         "ffv1_share",
                                                         "reason"};

/// One row per threshold: the share of pixels and samples that change from frame to frame, PSNR in
/// decibels ("" if the frames are equal), and the bytes of the stream and of FFV1 for the same
/// frames. It reads the clip once. filter: "none" or a filter of this lab. Returns no rows if
/// interrupted.
std::vector<Row> savings_rows(const SavingsQuestion& question, const std::string& filter,
                              int ksize);

}  // namespace convolab::noise_filter
