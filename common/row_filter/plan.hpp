// SPDX-License-Identifier: MIT
// What RowFilter tells its vector kernels: the filter, taken apart (Plan), and which columns of a
// few rows to work on (Columns). plan.cpp decides which kernel a filter gets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <variant>
#include <vector>

#include "common/base/isa.hpp"
#include "common/convolution/filter.hpp"

namespace convolab {

/// Output rows that the kernels of an outer product make at once. The state of a block is loaded
/// and stored once for them; but each row is one more stream of memory accesses.
constexpr int kGroup = 8;

constexpr std::int64_t kLine = 64;  // bytes of a cache line

using Taps = std::vector<std::int32_t>;

/// Two taps as the two bytes of a 16-bit word, that word twice.
inline std::int32_t two_bytes(int first, int second) {
    return static_cast<std::int32_t>(0x10001U * ((first & 0xFFU) | (second & 0xFFU) << 8));
}
/// Two taps as the two 16-bit words of a 32-bit word.
inline std::int32_t two_words(int first, int second) {
    return static_cast<std::int32_t>((first & 0xFFFFU) | (second & 0xFFFFU) << 16);
}

/// The sum of the positive taps.
inline int positive(const Taps& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](int s, int t) { return s + std::max(t, 0); });
}
/// The sum of the negative taps.
inline int negative(const Taps& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](int s, int t) { return s + std::min(t, 0); });
}

/// How the sums of a vector kernel become bytes.
struct Rounding {
    std::int32_t start = 0;    ///< of each sum: minus the bias, plus half the divisor
    int shift = -1;            ///< divisor = 2^shift; -1:
    float scale = 0, add = 0;  ///< byte = floor(sum * scale + add)
};

/// 1 2 1 / 4 or 1 4 6 4 1 / 16, both ways.
struct Binomial {};

/// A column times a row.
struct Separable {
    /// Two taps of a row: the distances of their samples from the first tap's sample, in bytes. In
    /// the last pair the second sample is the constant 255, which adds a bias.
    struct RowPair {
        std::int64_t first, second;
    };
    std::vector<RowPair> row_pairs;
    std::vector<std::int32_t> row_taps;  ///< of each: two int8 in a 16-bit word, that word twice
    /// Pairs of column taps, two int16 in a word each, for the even and the odd rows of a group.
    std::vector<std::int32_t> even_taps, odd_taps;
    Rounding rounding = {};
    bool upper = false;         ///< the divisor is 2^16: the byte is in a sum's upper word
    bool in_registers = false;  ///< separable_columns instead of ring_columns
};

/// All taps of the filter except zeros.
struct Direct {
    /// Two taps one below the other, for the even and the odd row of a group.
    struct Tap {
        int row;              ///< of the upper sample
        std::int64_t offset;  ///< from the first tap's sample, in bytes
        std::int32_t even, odd;
    };
    std::vector<Tap> taps;
    Rounding rounding = {};
    bool in_bytes = false;  ///< 16-bit sums; else 16-bit taps and 32-bit sums
};

struct Plan {
    int ksize = 0;
    int channels = 0;
    // The filter without common factors. row and column are empty if it is not a product.
    Taps row, column;
    std::int32_t divisor = 1;
    enum class Sums { wide, row16, all16 };
    Sums sums = Sums::wide;  ///< which sums of an outer product fit uint16

    /// For a vector kernel; nothing: none computes the filter exactly, or there are no vectors.
    std::variant<std::monostate, Binomial, Separable, Direct> kind;
    int group = 1;  ///< output rows that a kernel makes at once

    bool is_plain() const { return kind.index() == 0; }
    bool is_direct() const { return std::holds_alternative<Direct>(kind); }
    // Not inline: kernels must not instantiate templates of the standard library (avx2.cpp).
    const Separable& separable() const;
    const Direct& direct() const;
    /// How many rows to make at once where `left` are left; find_kernel() has a kernel for each.
    int rows_at_once(std::int64_t left) const {
        if (left >= group) return group;
        return !std::holds_alternative<Binomial>(kind) ? 2 : left >= 4 ? 4 : 1;
    }
};

Plan make_plan(const Filter& filter, int channels, Isa isa);

/// Fills row_pairs and row_taps with the taps of a row in pairs whose products fit int16, the last
/// pair with a constant that moves the sums into int16. Returns false if that is impossible.
/// bias: what the constant adds to each sum.
bool pair_row_taps(const Taps& taps, int channels, Separable& plan, int& bias);

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
    /// Those that make plan.rows_at_once() output rows.
    Kernel (*binomial)(int ksize, int rows, bool stream);
    Kernel (*separable)(const Separable&, int rows, bool stream);
    Kernel (*direct)(const Direct&);
    /// After the last non-temporal store: makes them visible to other threads.
    void (*fence)();
};
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();
const Kernels& avx512vnni_kernels();

/// That of a plan which is not plain.
Kernel find_kernel(const Kernels& kernels, const Plan& plan, int rows, bool stream);

/// Bytes of state that a block of `width` bytes needs from one group of rows to the next.
std::int64_t state_bytes(const Plan& plan, int width);

}  // namespace convolab
