// SPDX-License-Identifier: MIT
// What the tiled kernels share: loading a pixel into shared memory.
//
//   left, top            the input pixel of cell 0, inside the image or outside
//   |<- side cells ->|   side = tile + K - 1 where the halo is loaded too
//   cell = row * side + column
//
// Each channel has a plane of floats. Neighbouring threads read neighbouring words, so loading has
// no bank conflicts; a warp that computes two rows may have some. Each sample is converted once per
// tile, not K^2 times.
#pragma once

#include "common/cuda/view.hpp"

namespace convolab {

/// Loads pixel (x, y), inside the image or outside, to s_pixel; its channels are `plane` words
/// apart.
template <class T, class View>
__device__ void load_pixel(float* s_pixel, int plane, int x, int y, const T* d_in,
                           const View& image) {
    const bool found = image.border.find(y, image.height) && image.border.find(x, image.width);
    for (int c = 0; c < image.channels; ++c)
        s_pixel[c * plane] = found ? static_cast<float>(d_in[image.in(x, y, c)]) : image.outside;
}

/// Loads the pixel of one cell; cells past the tile are skipped. The row of the cell is computed by
/// a multiplication, so that several rounds share one division. It is exact for side < 256; a tile
/// of 256 x 256 floats does not fit in any shared memory.
template <class T, class View>
__device__ void load_cell(float* s_planes, int side, int cell, int left, int top, const T* d_in,
                          const View& image) {
    const unsigned reciprocal = (1U << 24) / side + 1;
    if (cell >= side * side) return;
    const int row = cell * reciprocal >> 24;
    load_pixel(s_planes + cell, side * side, left + cell - row * side, top + row, d_in, image);
}

}  // namespace convolab
