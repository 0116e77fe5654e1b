// SPDX-License-Identifier: MIT
// The variants of this lab, each defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::async_streams {

extern const Variant pageable, pinned, streams, frames, graph, multi_gpu, chain, chain_cpu,
    peer_bands;

}  // namespace convolab::async_streams
