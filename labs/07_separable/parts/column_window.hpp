// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The samples of the last K rows under one byte of a lane, four per word, in the order of their taps.
// Tap k belongs to the row that is `age` rows above the newest. K = 3 and 7: words of four rows, the
// newest in byte 3 of the first word. K = 5 and 9: the newest row alone, then words of four rows.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cuda/view.hpp"

namespace convolab::separable {

template <int ksize>
class ColumnWindow {
  public:
    static constexpr int kWords = ksize == 3 ? 1 : ksize == 9 ? 3 : 2;

    /// Byte `byte` of `word` is the sample of the next row; `rows` receives the words of the window.
    __device__ __forceinline__ void push(unsigned word, int byte, unsigned (&rows)[kWords]) {
        const unsigned last = newest_;
        newest_ = __byte_perm(last, word, 0x0321 + ((4 + byte) << 12));
        rows[0] = newest_;
        if constexpr (ksize == 5) rows[1] = last;
        if constexpr (ksize == 7) rows[1] = older_ = __byte_perm(older_, last, 0x4321);
        if constexpr (ksize == 9) {
            rows[1] = last;
            rows[2] = older_;
            older_ = __byte_perm(older_, last, 0x4321);
        }
    }

  private:
    unsigned newest_ = 0;  // four rows, byte 3 the newest
    unsigned older_ = 0;   // and, for K 7 and 9, the four before
};

/// Writes the low 8 bits of the 3, 5, 7 or 9 taps of a column in the same order.
inline void put_column(const std::vector<std::int32_t>& taps, unsigned (&words)[3]) {
    const auto ksize = static_cast<int>(taps.size());
    for (int k = 0; k < ksize; ++k) {
        const int age = ksize - 1 - k;
        const int place = ksize % 4 == 1 && age > 0 ? age + 3 : age;
        words[place / 4] |= (static_cast<unsigned>(taps[k]) & 255U) << (8 * (3 - place % 4));
    }
}

}  // namespace convolab::separable
