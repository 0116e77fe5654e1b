// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// `packed` for the separable filters whose taps pass 8 bits, such as (1 300 1): 32-bit sums in one
// register each, exact. Filter allows sums of taps up to 65536, so every sum is below 2^24.
//
//   down     a tap is three digits, low + 256 middle + 65536 high, each -128 to 127: three dot
//            products of four bytes (dp4a) where packed_dots.hpp has one
//   along    K multiply-adds; the halo's sums come from the neighbours one by one
#pragma once

#include <memory>

#include "common/variant/convolver.hpp"
#include "labs/07_separable/reduced_taps.hpp"

namespace convolab::separable {

/// For 1, 3 or 4 channels and K 3, 5, 7 or 9.
std::unique_ptr<Convolver> make_wide(const Job& job, const SeparableTaps& taps);

}  // namespace convolab::separable
