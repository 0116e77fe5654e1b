// SPDX-License-Identifier: MIT
// Reads and writes PNG files. Every colour type, depth and interlacing is read. What does not fit
// in an 8-bit image is converted, with a note; there is also a note if libpng warns of a fault that
// leaves the pixels whole. Nothing is printed; failures throw one Error.
#pragma once

#include <cstdint>
#include <string>

#include "common/image/image.hpp"

namespace convolab {

/// The largest picture read: 65,535 pixels per side and 2^29 samples (15360x8640 with alpha).
inline constexpr std::int64_t kPngMaxSide = 65'535;
inline constexpr std::int64_t kPngMaxSamples = std::int64_t{1} << 29;

struct Picture {
    Image colour;      ///< uint8, interleaved; 1 channel if the file is gray, else 3
    Image alpha;       ///< uint8, 1 channel, the same size; empty if the file has none
    std::string note;  ///< sentences about conversions and faults; empty if there are none
};

/// Palettes become RGB, depths below 8 are expanded, 16-bit samples are rounded to 8 bits, a
/// transparent colour (tRNS) becomes alpha, and it is turned as its Exif data say. Gamma and colour
/// profiles are not applied. Throws Error for a file that is missing, not a PNG, damaged, cut, or
/// over the limits; the limits are checked before memory is taken.
Picture read_png(const std::string& path);

/// Writes uint8 colour of 1, 3 or 4 channels in any layout; `alpha` (uint8, 1 channel, the same
/// size) joins 1 or 3 channels as gray + alpha or RGBA. All CPUs compress; the bytes are the same
/// for any number of them. The file is whole or absent, see write_whole_file(). Throws Error.
void write_png(const std::string& path, const Image& colour, const Image& alpha = {});

}  // namespace convolab
