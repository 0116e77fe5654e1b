// SPDX-License-Identifier: MIT
// What the variants chain, chain_cpu and peer_bands compute: they apply the job's filter `filters`
// times (a setting), each time to the previous output, with the same border.
#pragma once

#include "common/variant/lab.hpp"

namespace convolab::async_streams {

/// bytes: of the first input and the last output; operations: of all filters.
const Operation& chain_of_filters();

/// The same with the picture in the devices' memory: bytes of each filter's input and output.
const Operation& filters_on_device();

/// Throws Unsupported if a filter's output is smaller than its input.
void require_chain(const Job& job);

}  // namespace convolab::async_streams
