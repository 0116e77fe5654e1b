// SPDX-License-Identifier: MIT
// The convolution of lab 01 `simd` and lab 02 `simd_rows`: uint8, interleaved, exact, in one pass.
// Every byte of the image is read from memory once, every byte of the output written once.
// README.md explains the parts and what each of them gains.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/division.hpp"
#include "common/convolution/padding.hpp"
#include "common/convolution/renormalise.hpp"
#include "common/row_filter/plan.hpp"

namespace convolab {

class RowFilter {
  public:
    /// Throws what check_possible() (padding.hpp) and choose_isa() throw.
    explicit RowFilter(const Computation& job);
    RowFilter(const RowFilter&) = delete;
    RowFilter& operator=(const RowFilter&) = delete;

    /// The working memory of one thread.
    struct Scratch {
        std::vector<std::uint8_t> memory;     // for the kernels: state, edges, spare rows
        std::vector<std::uint8_t> samples;    // plain: one padded row, or K for a direct filter
        std::vector<std::uint16_t> row_sums;  // plain: K rows of an outer product,
        std::vector<float> wide_sums;         // in one type or the other
        FrameScratch frame;                   // border `renormalise`
    };
    Scratch make_scratch() const;
    /// Such as "binomial, vectors of 64 bytes".
    std::string form() const;

    /// Output rows y0 .. y1 - 1 into `out` (uint8, interleaved). Threads with their own scratch may
    /// work on different rows at the same time.
    void rows(std::int64_t y0, std::int64_t y1, Image& out, Scratch& scratch) const;
    /// The same for rows of the job's size in other memory. Allocates nothing.
    void rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out, Scratch& scratch) const;

  private:
    // plain.cpp: any filter, any machine
    void load(std::int64_t y, InRows in, std::uint8_t* line) const;
    template <class RowSum, class Sum>
    void separable_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out, Scratch& scratch,
                        RowSum* ring) const;
    void direct_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                     Scratch& scratch) const;
    void plain_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                    Scratch& scratch) const;

    // columns.cpp: how a row is divided for the kernels
    struct Source {
        const std::uint8_t *left, *middle, *right;
    };
    void split_columns();
    std::int64_t scratch_bytes() const;
    Source source(std::int64_t y, InRows image, std::int64_t ahead, std::uint8_t* edge) const;

    // blocks.cpp: the kernels of an instruction set over a band of rows
    class Band;
    void block_rows(std::int64_t y0, std::int64_t y1, InRows in, OutRows out,
                    Scratch& scratch) const;

    Computation job_;
    Image converted_;     // empty if the job's image is interleaved bytes,
    const Image& image_;  // which is then read at each call
    Filter filter_;
    Border border_;
    Plan plan_;
    std::int64_t out_samples_;                // a row of the output
    std::int64_t line_samples_;               // the same with p pixels on each side
    std::vector<std::int64_t> edge_source_;   // of a row's 2p border pixels: a column, or -1
    std::vector<std::int64_t> edge_samples_;  // the same for samples

    const Kernels* kernels_ = nullptr;
    std::vector<std::uint8_t> constant_row_;  // a row above or below the image, border `constant`
    // A row of the output is divided into blocks of kernels_->width bytes: `left` and `right` ones
    // whose taps meet the border, `middle` ones between them. The last block ends where the row
    // ends and may overlap the one before it. A narrow image has `left` blocks only, which read a
    // copy of the whole row.
    std::int64_t left_ = 0;
    std::int64_t middle_ = 0;
    std::int64_t right_ = 0;
    std::int64_t right_start_ = 0;  // samples
    std::int64_t edge_bytes_ = 0;   // of a row's copies for `left` and `right`
    bool narrow_ = false;
    bool stream_ = false;
};

}  // namespace convolab
