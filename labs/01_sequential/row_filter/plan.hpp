// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What RowFilter tells its vector kernels: the filter taken apart (Plan), and the columns of a few
// rows to work on (Columns). row_filter_plan.cpp decides which kernel a filter gets;
// row_filter_kernels.hpp explains them.
#pragma once

#include <cstdint>
#include <vector>

#include "common/convolution/filter.hpp"

namespace convolab {

/// plain: what the compiler makes of loops, on any machine. avx512vnni: with VBMI too.
enum class Isa { plain, avx2, avx512, avx512vnni };

/// The best instruction set that this machine has; with CONVOLAB_ISA=plain, avx2, avx512 or
/// avx512vnni in the environment, that one. Throws Error where it names none, or one that this
/// machine has not.
Isa choose_isa();

/// Output rows that the kernels of an outer product make at once. A block's state is loaded and
/// stored once for them, but each row is one more stream of memory accesses: 16 rows take as long
/// at 4K and 8K, and 5 to 15 % longer at 1080p; 4 rows 5 % longer.
constexpr int kGroup = 8;

struct Plan {
    /// plain: what no vector kernel can do exactly, and every filter where there are no vectors.
    enum class Kind { plain, binomial, separable, direct16, direct32 } kind = Kind::plain;

    int ksize = 0;
    int channels = 0;
    // The filter without common factors. row and column: empty where it is no outer product.
    std::vector<std::int32_t> row, column;
    std::int32_t divisor = 1;
    enum class Sums {
        wide,
        row16,
        all16
    } sums = Sums::wide;  // which of an outer product fit uint16

    int group = 1;  // output rows that a kernel makes at once
    // Two taps of a row: how many bytes from the first tap's sample the samples are that they meet.
    // The second one of the last pair is no sample but the constant 255, which adds a bias.
    struct RowPair {
        std::int64_t first, second;
    };
    std::vector<RowPair> row_pairs;
    std::vector<std::int32_t> row_taps;  // of each pair: two int8 in a 16-bit word, that word twice
    // Pairs of column taps, two int16 in a word each, for the even and the odd rows of a group.
    std::vector<std::int32_t> even_taps, odd_taps;
    // Of a direct filter: taps of two rows one below the other, for the even and the odd row of a
    // group.
    struct Direct {
        int row;              // of the upper sample
        std::int64_t offset;  // bytes from the first tap's sample
        std::int32_t even, odd;
    };
    std::vector<Direct> direct;

    std::int32_t start = 0;  // what each sum starts with: the bias taken back, and half a divisor
    int shift = -1;          // divisor = 2^shift, or -1
    float scale = 0;         // else byte = floor(sum * scale + add)
    float add = 0;
    bool upper = false;         // shift is 16
    bool in_registers = false;  // row_filter_separable.hpp: separable_columns(), not ring_columns()

    /// How many rows to make at once where `left` are left: what Kernels::find knows.
    int rows_at_once(std::int64_t left) const {
        if (left >= group) return group;
        return kind != Kind::binomial ? 2 : left >= 4 ? 4 : 1;
    }
};

Plan make_plan(const Filter& filter, int channels, Isa isa);

/// `blocks` blocks of Kernels::width bytes in the rows of one group.
struct Columns {
    const std::uint8_t* const*
        from;                 // where the first tap meets each source row, in the first block
    std::uint8_t* const* to;  // the first block of each output row
    std::uint8_t* state;      // of the first block; state_bytes() a block
    std::int64_t blocks;
    int oldest;          // slot of the oldest pair of rows in the state of a separable filter
    bool stream;         // store past the caches; `to` is aligned to the block
    std::int64_t ahead;  // bytes from a source row to the one to fetch for the next group; 0: none
};
using Kernel = void (*)(const Plan&, const Columns&);

/// The kernels of one instruction set.
struct Kernels {
    int width;
    /// The kernel that makes plan.rows_at_once() output rows.
    Kernel (*find)(const Plan&, int rows, bool stream);
    /// After the last store past the caches: other threads see them.
    void (*fence)();
};
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
const Kernels& avx512vnni_kernels();

/// Bytes of state a block of `width` bytes keeps from one group of rows to the next.
std::int64_t state_bytes(const Plan& plan, int width);

}  // namespace convolab
