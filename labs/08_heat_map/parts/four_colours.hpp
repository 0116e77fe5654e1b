// SPDX-License-Identifier: MIT
// From differences to colours, for kernels in which a colour is a word: red, green, blue, 0.
#pragma once

#include <cstdint>

#include "labs/08_heat_map/parts/colours.hpp"

namespace convolab::heat {

/// Turns the differences of the bytes of four pixels, in three words, into the colours of these
/// pixels. __dp4a adds selected bytes of a word; __byte_perm selects any four bytes of two words.
template <class ColourOf>
__device__ inline void colour_four_pixels(unsigned (&w)[3], const ColourOf& colour_of) {
    const unsigned c0 = colour_of(__dp4a(w[0], 0x00010101U, 0U));
    const unsigned c1 = colour_of(__dp4a(w[0], 0x01000000U, __dp4a(w[1], 0x00000101U, 0U)));
    const unsigned c2 = colour_of(__dp4a(w[1], 0x01010000U, __dp4a(w[2], 0x00000001U, 0U)));
    const unsigned c3 = colour_of(__dp4a(w[2], 0x01010100U, 0U));
    w[0] = __byte_perm(c0, c1, 0x4210);
    w[1] = __byte_perm(c1, c2, 0x5421);
    w[2] = __byte_perm(c2, c3, 0x6542);
}

/// Colours pixel number `i` alone. It is for the last pixels, which are too few for a warp.
template <class ColourOf>
__device__ inline void colour_one_pixel(const std::uint8_t* d_previous,
                                        const std::uint8_t* d_current, std::uint8_t* d_out, int i,
                                        const ColourOf& colour_of) {
    const int d = difference(d_current + 3 * i, d_previous + 3 * i);
    const unsigned colour = colour_of(static_cast<unsigned>(d));
    for (int c = 0; c < 3; ++c) d_out[3 * i + c] = static_cast<std::uint8_t>(colour >> 8 * c);
}

}  // namespace convolab::heat
