// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// soa (delbimbo2024, section 3): structure of arrays
//
// The idea: RR..GG..BB.. The same loops as aos, one line of layout.hpp apart: now each pass over
// the image reads its plane byte after byte.
//
// The report found 1.03 x between the two and explained it by the coalescing of GPU memory; this is
// a CPU, and the difference is a matter of caches and of the index rule.
//
// What limits it: the accessor; the index rule and the border test are taken at every tap.
//
// Alone: build/labs/01_sequential/lab bench --variant soa --size 1080p
#include "labs/01_sequential/layout.hpp"

namespace convolab {

extern const Variant soa;
const Variant soa{
    .name = "soa",
    .idea = "uint8, planar (structure of arrays), the same loops as aos",
    .make = [](const Job& job) { return std::make_unique<LayoutConvolver>(job, Layout::planar); },
};

}  // namespace convolab
