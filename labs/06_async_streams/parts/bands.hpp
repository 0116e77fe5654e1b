// SPDX-License-Identifier: MIT
// How several devices share a picture: the rows of each, and how often they exchange halos.
#pragma once

#include <vector>

#include "common/cuda/band_kernel.hpp"

namespace convolab::async_streams {

/// The image in one band per device, without halos. Throws Unsupported if a band would be thinner
/// than p rows, or empty.
std::vector<Band> bands_on_devices(const Job& job, int devices);

/// How many filters one halo lasts for, from 1 to kMostPasses. More filters save exchanges, but
/// more rows are computed twice: on each side of a band at most one row in kRowsPerHaloRow, unless
/// one filter needs more.
constexpr int kMostPasses = 16;
constexpr int kRowsPerHaloRow = 32;
int passes_per_exchange(const Job& job, const std::vector<Band>& bands);

}  // namespace convolab::async_streams
