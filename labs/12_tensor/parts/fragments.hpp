// SPDX-License-Identifier: MIT
// A lane's fragment of the filter's matrix, dense or sparse, the image's bytes that it brings, and
// its sums. One product takes 32 or 64 bytes of a column's windows: half of them from one row, half
// from the next.
//
// The columns of the matrix may be in any order, as long as the bytes of the image are in the same
// order. So a lane gets bytes that lie together in memory. Lane 4 g + t gets bytes of column g in
// row t / 2: the first half of them if t is even, the second half if t is odd. The rows of the
// matrix may be in any order, too, and are ordered so that a lane gets the sums of two bytes that
// lie together.
#pragma once

#include "common/base/device_code.hpp"
#include "labs/12_tensor/parts/padded_rows.hpp"
#include "labs/12_tensor/parts/tensor_core.hpp"

namespace convolab::tensor_cores {

/// Which output byte row m of the product computes: a byte of one of two output rows.
struct OutputPlace {
    int row, x;
};
HOST_DEVICE constexpr OutputPlace output_place(int m) { return {m % 8 / 4, 2 * (m % 4) + m / 8}; }

/// Which input byte belongs to column k of product number `step` of a pair of window rows: a byte
/// of one of these rows. words: how many words a lane brings.
struct InputPlace {
    int row, at;
};
constexpr InputPlace input_place(int k, int step, int words) {
    const int t = k % 16 / 4;
    return {t / 2, 4 * words * (2 * step + t % 2) + 4 * (k / 16) + k % 4};
}

/// How many products a pair of window rows needs.
constexpr int steps_for(int window, int words) { return (window + 8 * words - 1) / (8 * words); }

/// A lane's fragment of a dense matrix of 16 x 32 elements.
struct Dense {
    using Words = uint2;  ///< of the image, that a lane brings
    static constexpr int kWords = 2;
    static constexpr int kBefore = 0;  ///< a window begins p C bytes before its column
    uint4 a;

    static __device__ __forceinline__ Dense load(const Dense* d_from) { return {d_from->a}; }
    __device__ __forceinline__ int4 times(const uint2& b, const int4& c) const {
        return multiply(a, b, c);
    }
};

/// As Dense, for one channel. A window begins 4 bytes before its column, whatever the filter's side
/// is. So rows may begin at multiples of 16.
struct DenseBefore : Dense {
    static constexpr int kBefore = 4;

    static __device__ __forceinline__ DenseBefore load(const DenseBefore* d_from) {
        return {Dense::load(d_from)};
    }
};

/// A lane's fragment of a sparse matrix of 16 x 64 elements, of which 2 of each 4 are zero. With 3
/// or 4 channels the taps of an output byte are 3 or 4 bytes apart, so every filter fits. With one
/// channel it does not.
struct Sparse {
    using Words = uint4;  ///< of the image, that a lane brings
    static constexpr int kWords = 4;
    static constexpr int kBefore = 0;
    uint4 a;
    unsigned positions;

    static __device__ __forceinline__ Sparse load(const Sparse* d_from) {
        return {d_from->a, d_from->positions};
    }
    __device__ __forceinline__ int4 times(const uint4& b, const int4& c) const {
        return multiply_sparse(a, positions, b, c);
    }
};

/// Loads the 8 or 16 bytes that a lane brings. Their address is a multiple of 8.
template <class Words>
__device__ __forceinline__ Words load_words(const std::uint8_t* from) {
    const auto* eights = reinterpret_cast<const uint2*>(from);
    if constexpr (sizeof(Words) == 8) {
        return eights[0];
    } else {
        const uint2 low = eights[0], high = eights[1];
        return make_uint4(low.x, low.y, high.x, high.y);
    }
}

/// Stores the bytes of a lane's sums: two of column `first + 2 t` and two of the next one. Image:
/// PaddedRows, or a class with the same out_row(), out_rows, out_bytes and division.
template <class Image>
__device__ __forceinline__ void store_sums(const Image& image, const int4& sums, int y, int first) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    y += output_place(g).row;
    const auto store = [&](int column, int low, int high) {
        const int at = kColumnBytes * column + output_place(g).x;
        const int two = image.division.byte(low) | image.division.byte(high) << 8;
        if (y < image.out_rows && at < image.out_bytes)
            *reinterpret_cast<std::uint16_t*>(image.out_row(y) + at) =
                static_cast<std::uint16_t>(two);
    };
    store(first + 2 * t, sums.x, sums.z);
    store(first + 2 * t + 1, sums.y, sums.w);
}

}  // namespace convolab::tensor_cores
