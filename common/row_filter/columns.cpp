// SPDX-License-Identifier: MIT
// How a row is divided for the kernels: blocks at the left and right whose taps meet the border,
// and blocks between them. The outer ones read a copy of a few pixels with its border; all others
// read the image itself.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "common/row_filter/row_filter.hpp"

namespace convolab {
namespace {

/// Bytes of the last-level cache that one core reaches; 32 MiB where the system does not say.
/// (glibc's sysconf() gives the sum for all cores of a socket.)
std::int64_t last_level_cache() {
    std::ifstream size("/sys/devices/system/cpu/cpu0/cache/index3/size");  // such as 32768K
    std::int64_t kib = 0;
    return (size >> kib && kib > 0 ? kib : 32768) << 10;
}

}  // namespace

void RowFilter::split_columns() {
    const std::int64_t width = kernels_->width;
    const std::int64_t row_bytes = image_.width() * image_.channels();
    const bool valid = border_.rule == BorderRule::valid;
    const std::int64_t reach = valid ? 0 : (line_samples_ - out_samples_) / 2;
    for (const std::int64_t x : edge_source_)
        for (std::int64_t i = 0; i < image_.channels(); ++i)
            edge_samples_.push_back(x < 0 ? -1 : x * image_.channels() + i);
    constant_row_.assign(static_cast<std::size_t>(row_bytes),
                         static_cast<std::uint8_t>(border_.value));
    left_ = round_up(reach, kLine) / width;
    narrow_ = out_samples_ < (2 * left_ + 2) * width + 2 * reach;
    if (narrow_) {
        left_ = round_up(out_samples_, width) / width;
    } else {
        middle_ = (out_samples_ - reach - left_ * width) / kLine * (kLine / width);
        right_ = round_up(out_samples_ - (left_ + middle_) * width, width) / width;
        right_start_ = out_samples_ - right_ * width;
    }
    edge_bytes_ = round_up((left_ + right_) * width + 2 * (line_samples_ - out_samples_), kLine);
    // Non-temporal stores pay where image and output do not fit the last-level cache. They need
    // rows of whole cache lines, and parts of a row that begin with one (halves.hpp).
    stream_ = !narrow_ && out_samples_ % kLine == 0 &&
              2 * row_bytes * image_.height() > last_level_cache();
}

/// The state, the edges of the rows that a kernel reads, and spare rows for output: for the rows of
/// a group beyond the band, and for those of a narrow image before they are copied.
std::int64_t RowFilter::scratch_bytes() const {
    return kLine + (left_ + middle_ + right_) * state_bytes(plan_, kernels_->width) +
           std::max(plan_.ksize + 1, plan_.group) * edge_bytes_ +
           (narrow_ ? plan_.group : 1) * round_up(out_samples_, kLine);
}

/// The first tap's samples of the left, middle and right blocks in row y of the image, or in the
/// row that the border rule puts there. The outer blocks get a copy with their border in `edge`.
RowFilter::Source RowFilter::source(std::int64_t y, InRows image, std::int64_t ahead,
                                    std::uint8_t* edge) const {
    if (narrow_) {
        load(y, image, edge);
        return {edge, nullptr, nullptr};
    }
    const std::int64_t row = source_index(border_.rule, y, image_.height());
    const std::uint8_t* in = row < 0 ? constant_row_.data() : image.row(row);
    if (border_.rule == BorderRule::valid) return {in, in, in + right_start_};
    const std::int64_t reach = (line_samples_ - out_samples_) / 2;
    const std::int64_t left_samples = left_ * kernels_->width + reach;
    const std::int64_t right_samples = out_samples_ - right_start_ + reach;
    __builtin_prefetch(in + ahead);
    __builtin_prefetch(in + right_start_ + ahead);
    __builtin_prefetch(in + out_samples_ - 1 + ahead);
    std::uint8_t* right = edge + left_samples + reach;
    std::memcpy(edge + reach, in, static_cast<std::size_t>(left_samples));
    std::memcpy(right, in + right_start_ - reach, static_cast<std::size_t>(right_samples));
    const auto constant = static_cast<std::uint8_t>(border_.value);
    const std::int64_t* at = edge_samples_.data();
    for (std::int64_t s = 0; s < reach; ++s, ++at) edge[s] = *at < 0 ? constant : in[*at];
    right += right_samples;
    for (std::int64_t s = 0; s < reach; ++s, ++at) right[s] = *at < 0 ? constant : in[*at];
    return {edge, in + left_ * kernels_->width - reach, right - right_samples};
}

}  // namespace convolab
