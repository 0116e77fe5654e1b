// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What RowFilter tells its vector kernels: the filter, taken apart (Plan), and which columns of a
// few rows to work on (Columns). plan.cpp decides which kernel a filter gets.
#pragma once

#include <cstdint>
#include <vector>

#include "common/base/isa.hpp"
#include "common/convolution/filter.hpp"

namespace convolab {

/// Output rows that the kernels of an outer product make at once. The state of a block is loaded
/// and stored once for them; but each row is one more stream of memory accesses.
constexpr int kGroup = 8;

constexpr std::int64_t kLine = 64;  // bytes of a cache line

struct Plan {
    /// plain: filters that no vector kernel computes exactly; all filters without vectors.
    enum class Kind { plain, binomial, separable, direct16, direct32 } kind = Kind::plain;

    int ksize = 0;
    int channels = 0;
    // The filter without common factors. row and column are empty where it is not a product.
    std::vector<std::int32_t> row, column;
    std::int32_t divisor = 1;
    enum class Sums {
        wide,
        row16,
        all16
    } sums = Sums::wide;  // which sums of an outer product fit uint16

    int group = 1;  // output rows that a kernel makes at once
    // Two taps of a row: the distances of their samples from the first tap's sample, in bytes. In
    // the last pair the second sample is the constant 255, which adds a bias.
    struct RowPair {
        std::int64_t first, second;
    };
    std::vector<RowPair> row_pairs;
    std::vector<std::int32_t> row_taps;  // of each pair: two int8 in a 16-bit word, that word twice
    // Pairs of column taps, two int16 in a word each, for the even and the odd rows of a group.
    std::vector<std::int32_t> even_taps, odd_taps;
    // For a direct filter: two taps one below the other, for the even and the odd row of a group.
    struct Direct {
        int row;              // of the upper sample
        std::int64_t offset;  // from the first tap's sample, in bytes
        std::int32_t even, odd;
    };
    std::vector<Direct> direct;

    std::int32_t start = 0;  // of each sum: minus the bias, plus half the divisor
    int shift = -1;          // divisor = 2^shift, or -1
    float scale = 0;         // else byte = floor(sum * scale + add)
    float add = 0;
    bool upper = false;         // shift is 16
    bool in_registers = false;  // separable.hpp instead of ring.hpp

    bool is_direct() const { return kind == Kind::direct16 || kind == Kind::direct32; }
    /// How many rows to make at once where `left` are left; Kernels::find has a kernel for each.
    int rows_at_once(std::int64_t left) const {
        if (left >= group) return group;
        return kind != Kind::binomial ? 2 : left >= 4 ? 4 : 1;
    }
};

Plan make_plan(const Filter& filter, int channels, Isa isa);

/// Fills plan.row_pairs and plan.row_taps with the taps of a row in pairs whose products fit int16,
/// the last pair with a constant that moves the sums into int16. False where that is impossible.
/// bias: what the constant adds to each sum.
bool pair_row_taps(const std::vector<std::int32_t>& taps, int channels, Plan& plan, int& bias);

/// `blocks` blocks of Kernels::width bytes in the rows of one group.
struct Columns {
    const std::uint8_t* const*
        from;                 // of each source row: the first tap's sample in the first block
    std::uint8_t* const* to;  // of each output row: the first block
    std::uint8_t* state;      // of the first block; state_bytes() for each block
    std::int64_t blocks;
    int oldest;          // slot of the oldest pair of rows in the state of a separable filter
    bool stream;         // non-temporal stores; `to` is then aligned to the cache line
    std::int64_t ahead;  // bytes from a source row to the one to prefetch; 0: no prefetch
};
using Kernel = void (*)(const Plan&, const Columns&);

/// The kernels of one instruction set.
struct Kernels {
    int width;
    /// The kernel that makes plan.rows_at_once() output rows.
    Kernel (*find)(const Plan&, int rows, bool stream);
    /// After the last non-temporal store: makes them visible to other threads.
    void (*fence)();
};
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
const Kernels& avx512vnni_kernels();

/// Bytes of state that a block of `width` bytes needs from one group of rows to the next.
std::int64_t state_bytes(const Plan& plan, int width);

}  // namespace convolab
