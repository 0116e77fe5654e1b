// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The convolution of lab 01 `simd` and lab 02 `simd_rows`: uint8, interleaved, exact, one pass over
// the image; every byte is read from memory once and written once. What it costs is arithmetic on
// 16-bit lanes, and the trick is to need little of it. For the 5x5 Gaussian, 1 4 6 4 1 both ways /
// 256, and 64 samples (one AVX-512 vector of bytes, two of 16-bit sums):
//
//   along the row   5 loads, shifted by a pixel each; two neighbours interleaved and multiplied by
//                   two taps in one instruction, 6 times: 16 instructions. The free sixth tap adds
//                   the 1/2 for the rounding.
//   down the column 1 4 6 4 1 is 1 1 four times over: 8 additions instead of 4 rows of
//                   multiplications. Between rows live only the 4 intermediate rows, 16 bits each;
//                   a group of 8 rows goes through at once, so that they are read and written once
//                   in 8.
//   to bytes        the sum is at most 255 * 256 + 128: 16 bits hold it, and its upper byte is the
//                   result. One instruction takes 64 of them (AVX-512 VBMI).
//
// 25 instructions for 64 samples, where a direct 5x5 has 25 multiply-adds for each sample: 12.5
// cycles on a processor (Zen 4) that does two a cycle; measured: 16.5 in the kernel alone, 18.6
// with the borders and the caches. Other outer products keep 16-bit row sums of pairs of rows,
// interleaved, and sum columns in 32 bits (row_filter_separable.hpp); other filters multiply
// interleaved pairs of samples (row_filter_direct.hpp). row_filter_plan.cpp finds out which one is
// exact for a filter. Borders: the outermost blocks of a row read a copy of a few pixels, made with
// its border as the row comes in; all others read the image itself (row_filter_blocks.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "common/convolution/padding.hpp"
#include "labs/01_sequential/row_filter/plan.hpp"

namespace convolab {

class RowFilter {
  public:
    /// Throws Unsupported where check_possible() (padding.hpp) does, Error where choose_isa() does.
    explicit RowFilter(const Job& job);

    /// The rows one thread works with.
    struct Scratch {
        std::vector<std::uint8_t> memory;   // of the kernels: state, edges, spare rows
        std::vector<std::uint8_t> samples;  // plain: one padded row; K of them for a direct filter
        std::vector<std::uint16_t> row_sums;  // plain: K rows, for an outer product,
        std::vector<float> wide_sums;         // of one type or the other
    };
    Scratch make_scratch() const;

    /// Output rows y0 .. y1 - 1 into `out` (uint8, interleaved). Threads with their own scratch may
    /// work on different rows at the same time.
    void rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

  private:
    // row_filter_plain.cpp: any filter, any machine
    void load(std::int64_t y, std::uint8_t* line) const;
    template <class RowSum, class Sum>
    void separable_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch,
                        RowSum* ring) const;
    void direct_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;
    void plain_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

    // row_filter_blocks.cpp: with the kernels of an instruction set
    struct Source {
        const std::uint8_t *left, *middle, *right;
    };
    class Band;
    void split_columns();
    std::int64_t scratch_bytes() const;
    Source source(std::int64_t y, std::uint8_t* edge) const;
    void block_rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;

    Job job_;
    Image image_;  // interleaved
    Filter filter_;
    Border border_;
    Plan plan_;
    std::int64_t out_samples_;                // a row of the output
    std::int64_t line_samples_;               // the same with p pixels on each side
    std::vector<std::int64_t> edge_source_;   // of the 2p border pixels of a row: a column, or -1
    std::vector<std::int64_t> edge_samples_;  // the same by samples

    const Kernels* kernels_ = nullptr;
    std::vector<std::uint8_t> constant_row_;  // what stands above and below where no row does
    // A row of the output as blocks of kernels_->width bytes: `left` and `right` ones whose taps
    // meet the border, `middle` ones between them. The last block ends where the row ends and may
    // overlap the one before. Only `left` ones, and a copy of the whole row, where the image is
    // narrow.
    std::int64_t left_ = 0;
    std::int64_t middle_ = 0;
    std::int64_t right_ = 0;
    std::int64_t right_start_ = 0;  // samples
    std::int64_t edge_bytes_ = 0;   // of a row's copies for `left` and `right`
    std::int64_t ahead_ = 0;        // bytes from a row to the one of the next group, or 0
    bool narrow_ = false;
    bool stream_ = false;
};

}  // namespace convolab
