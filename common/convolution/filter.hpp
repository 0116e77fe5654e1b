// SPDX-License-Identifier: MIT
// A filter: K x K integer taps and one positive integer divisor, applied as correlation (no flip):
//
//   out(x, y, c) = clamp(floor(sum / divisor + 1/2))
//   sum          = sum over i, j of tap(i, j) * in(x + i - p, y + j - p, c)
//
// with p = K / 2, i counting columns and j rows. Construction checks sum |tap| <= 65536 and
// divisor <= 65536. Then every partial sum of 8-bit samples stays below 2^24: exact in int32 and in
// float32, in any order. So one correctly rounded float division gives the same byte as integers do
// (common/convolution/rounding.hpp shows why).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convolab {

class Filter {
  public:
    /// taps: K * K values, row by row. Throws UsageError naming the filter if K is not odd and
    /// 1..255, the number of taps is not K * K, or the sums exceed their bounds.
    Filter(std::string name, int ksize, std::vector<std::int32_t> taps, std::int32_t divisor);

    const std::string& name() const { return name_; }
    int ksize() const { return ksize_; }                             ///< K
    int radius() const { return ksize_ / 2; }                        ///< p
    const std::vector<std::int32_t>& taps() const { return taps_; }  ///< row by row
    std::int32_t tap(int i, int j) const { return taps_[static_cast<std::size_t>(j) * ksize_ + i]; }
    std::int32_t divisor() const { return divisor_; }

    /// column[j] * row[i] == tap(i, j) for all i, j.
    struct OuterProduct {
        std::vector<std::int32_t> column;
        std::vector<std::int32_t> row;
    };
    /// Empty if the taps are not an outer product of two integer vectors.
    std::optional<OuterProduct> outer_product() const;

    /// Whether border `renormalise` is possible: the taps add up to the divisor, and every part of
    /// the filter that remains inside an image has a positive sum.
    bool can_renormalise() const;

  private:
    std::string name_;
    int ksize_;
    std::vector<std::int32_t> taps_;
    std::int32_t divisor_;
};

/// The greatest common divisor of the taps and `start`; 0 if all are zero.
std::int32_t common_factor(const std::vector<std::int32_t>& taps, std::int32_t start = 0);

/// The named filters: identity, box, gaussian, sharpen, edge, laplacian, emboss, sobel_x, sobel_y,
/// unsharp. ksize: for those that come in any size (default 3 for identity and edge, 5 for box and
/// gaussian); sigma: for gaussian. `median`, for labs that offer it, is no sum: its taps, all 1,
/// say which samples are sorted. A typed filter reads "3x3: 1 2 1 2 4 2 1 2 1 / 16".
/// Throws UsageError in one sentence.
Filter make_filter(const std::string& name_or_taps, std::optional<int> ksize = {},
                   std::optional<double> sigma = {});

/// The names of the filters that are convolutions.
const std::vector<std::string>& filter_names();
/// Whether `name` takes a ksize.
bool filter_has_sizes(std::string_view name);

/// The 1-D integer Gaussian with sum 256, odd K 1..31 (the rule of OpenCV's 8-bit filters).
std::vector<std::int32_t> gaussian_taps(int ksize, std::optional<double> sigma = {});

}  // namespace convolab
