// SPDX-License-Identifier: MIT
// What every variant is compared with: the formula of filter.hpp in integers and plain
// loops. Compiled without any option that changes arithmetic.
#pragma once

#include <string>

#include "common/convolution/computation.hpp"

namespace convolab {

/// The job's output in the image's type and layout. float32 images are summed in double and neither
/// rounded nor clamped. Large jobs use all CPUs. Throws Unsupported for jobs that check_possible()
/// (padding.hpp) rules out.
Image reference_convolution(const Computation& job);
/// The same with this number of threads; each computes a range of rows.
Image reference_convolution(const Computation& job, int threads);

/// How far a result of float32 arithmetic may be from reference_convolution(): 0 for 8-bit samples;
/// for float32 (K^2 + 2) 2^-24 max |in| sum |tap| / divisor, the bound of K^2 multiply-adds in any
/// order, one division and the reference's own last rounding.
double allowed_difference(const Computation& job);

struct Comparison {
    std::int64_t samples = 0;    ///< compared
    std::int64_t different = 0;  ///< of them
    std::string first;  ///< "at (3, 0) channel 1: 17 instead of 18", of the first difference

    bool identical() const { return samples > 0 && different == 0; }
};

/// "at (3, 0) channel 1: 17 instead of 18; 31 of 1581 samples (2 %) are wrong"
std::string describe(const Comparison& comparison);

/// Counts the samples with `!(|difference| <= bound)`, so a NaN counts. Images of different sizes
/// or channels differ everywhere. Types and layouts may differ.
Comparison compare(const Image& result, const Image& expected, double bound = 0);

/// |result - expected| of each sample, times 16 and at most 255: the picture of a failure.
Image difference_picture(const Image& result, const Image& expected);

}  // namespace convolab
