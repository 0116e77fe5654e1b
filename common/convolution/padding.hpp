// SPDX-License-Identifier: MIT
// The image with its border made explicit. A padded variant needs no test for the border:
//
//   out(x, y, c) = sum over i, j of tap(i, j) padded(x + i, y + j, c) / divisor
//
// That is the result for all seven borders but one: `renormalise` (renormalise.hpp) changes the
// divisor in the frame of p pixels where taps are missing.
#pragma once

#include "common/convolution/computation.hpp"

namespace convolab {

/// The job's image as samples of `type`, interleaved, with p pixels of border on each side. With
/// border `valid` there is no border; with `renormalise` the border is 0. The result is always
/// larger than the output by 2p on each axis. Throws what check_possible() throws.
Image pad(const Computation& job, PixelType type);

/// How many samples pad() makes.
std::int64_t padded_samples(const Computation& job);

/// Throws Unsupported, with the reason, for jobs that no variant can compute: `valid` with an image
/// smaller than the filter, `renormalise` with a filter that cannot be renormalised.
void check_possible(const Computation& job);

}  // namespace convolab
