// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Between RGB and the Y'CbCr of Y4M files: the matrix of BT.601, in integers with 16 bits of
// fraction, rounded half up and clamped to 0..255. With R, G, B of 0..255:
//
//   limited range (luma 16..235, chroma 16..240)        full range (0..255)
//   R = 1.164384 (Y-16)                + 1.596027 V     R = Y              + 1.402    V
//   G = 1.164384 (Y-16) - 0.391762 U   - 0.812968 V     G = Y - 0.344136 U - 0.714136 V
//   B = 1.164384 (Y-16) + 2.017232 U                    B = Y + 1.772    U
//
// where U = Cb - 128, V = Cr - 128. A chroma sample counts for all pixels that it lies over. The
// way there is limited range at full chroma resolution; there and back changes a sample by at most
// 2.
#pragma once

#include <cstdint>

#include "common/base/division.hpp"
#include "common/image/image.hpp"

namespace convolab {

/// How samples lie in a frame: luma, then the two planes of chroma, rows packed.
struct YuvLayout {
    std::int64_t width = 0, height = 0;  ///< pixels
    int chroma_x = 1, chroma_y = 1;      ///< pixels per chroma sample along each axis
    bool is_gray = false;                ///< luma only
    bool is_full_range = false;

    std::int64_t chroma_width() const { return ceil_divide(width, chroma_x); }
    std::int64_t chroma_height() const { return ceil_divide(height, chroma_y); }
    std::int64_t bytes() const {
        return width * height + (is_gray ? 0 : 2 * chroma_width() * chroma_height());
    }
};

/// `yuv`: layout.bytes() bytes. `rgb`: RGB, uint8, interleaved, of the layout's size.
void yuv_to_rgb(const std::uint8_t* yuv, const YuvLayout& layout, Image& rgb);

/// Into three planes of the image's size, limited range.
void rgb_to_yuv444(const Image& rgb, std::uint8_t* yuv);

}  // namespace convolab
