// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// aos (delbimbo2024, section 3): array of structures
//
// The idea: RGBRGB... A pixel's channels are neighbours. The loops are channel, row, column, so
// that each pass over the image uses one byte in three.
//
// Since bounds: bytes instead of four-byte samples, and one loop nest for two memory layouts
// (layout.hpp).
//
// What limits it: the accessor; the index rule and the border test are taken at every tap.
//
// Alone: build/labs/01_sequential/lab bench --variant aos --size 1080p
#include "labs/01_sequential/layout.hpp"

namespace convolab {

extern const Variant aos;
const Variant aos{
    .name = "aos",
    .idea = "uint8, interleaved (array of structures), one accessor for both layouts",
    .make =
        [](const Job& job) { return std::make_unique<LayoutConvolver>(job, Layout::interleaved); },
};

}  // namespace convolab
