// SPDX-License-Identifier: MIT
// The variants of this lab. Each is defined in the file with its name.
#pragma once

#include "common/variant/convolver.hpp"

namespace convolab::cuda_global {

extern const Variant plain, naive, coalesced, padded, gray, aos, soa, texture, register_tile, fft;

}  // namespace convolab::cuda_global
