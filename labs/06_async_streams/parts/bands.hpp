// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// How several devices share a picture: which rows each has, and how often they exchange halos.
#pragma once

#include <vector>

#include "common/cuda/band_kernel.hpp"

namespace convolab::async_streams {

/// The image in one band per device, without halos. Throws Unsupported where a band would be
/// thinner than p rows, or empty.
std::vector<Band> bands_on_devices(const Job& job, int devices);

/// How many filters one halo lasts for: at most kMostPasses, at least one, and between them so few
/// that on each side at most one row in kRowsPerHaloRow of a band is computed twice. More of them
/// save exchanges and cost rows.
constexpr int kMostPasses = 16;
constexpr int kRowsPerHaloRow = 32;
int passes_per_exchange(const Job& job, const std::vector<Band>& bands);

}  // namespace convolab::async_streams
