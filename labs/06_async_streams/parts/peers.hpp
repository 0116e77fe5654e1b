// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// How a picture is shared by several devices.
#pragma once

#include <vector>

#include "labs/06_async_streams/parts/band.hpp"

namespace convolab::async_streams {

/// The image in one band per device, without halos. Throws Unsupported where a band would be thinner
/// than p rows.
std::vector<Band> bands_on_devices(const Job& job, int devices);

/// How many filters one halo lasts for: 16, or so few that at most a sixteenth of a band's rows is
/// computed twice.
int passes_per_exchange(const Job& job, const std::vector<Band>& bands);

/// Lets each device copy directly to each other one, where the machine can; elsewhere copies between
/// devices go through the host's memory.
void allow_peer_access(int devices);

}  // namespace convolab::async_streams
