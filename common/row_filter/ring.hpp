// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// separable.hpp's kernel with fewer registers, and for long filters. (How it is compiled:
// halves.hpp.)
//
// Two rows at a time; the pairs of rows are in a ring buffer in memory. A strip of blocks first
// gets its new pair, then its output, so that each loop needs registers for its own taps only.

namespace convolab {
namespace {

/// Pairs: of taps, in the row and in the column; 0: as many as the plan has.
template <int Pairs, Round How>
void ring_columns(const Plan& whole, const Columns& job) {
    const Separable& plan = whole.separable();
    constexpr int kStrip = 16;                                  // blocks
    constexpr int kColumnTaps = (V::kRegisters == 32) * Pairs;  // 16 are needed for the sums
    const int pairs = Pairs ? Pairs : static_cast<int>(plan.even_taps.size());
    const RowPairs<Pairs> row_pairs(plan);
    const TapRegisters<kColumnTaps> even_taps(plan.even_taps);
    const TapRegisters<kColumnTaps> odd_taps(plan.odd_taps);
    const V::Reg start = V::every_32(plan.rounding.start);
    const std::uint8_t* const from[2] = {job.from[0], job.from[1]};
    std::uint8_t* const to[2] = {job.to[0], job.to[1]};
    V::Reg first_halves[2] = {};
    const std::int64_t ahead = job.ahead;
    const bool stream = job.stream;
    const std::int64_t end = job.blocks * V::kBytes;
    // Where a block's state has the oldest pair, the next, and so on.
    std::int64_t slots[Pairs ? Pairs : 256];
    for (int m = 0; m < pairs; ++m) slots[m] = (job.oldest + m) % pairs * 4 * V::kBytes;
    std::uint8_t* memory = job.state;
    for (std::int64_t strip = 0; strip < end; strip += kStrip * V::kBytes) {
        const std::int64_t next = strip + kStrip * V::kBytes;
        const std::int64_t strip_end = next < end ? next : end;
        std::uint8_t* newest = memory + slots[pairs - 1];
        for (std::int64_t at = strip; at < strip_end; at += V::kBytes) {
            V::Reg rows[4];
            add_rows(row_pairs, from, at, ahead, rows);
            for (int q = 0; q < 4; ++q) V::store(newest + q * V::kBytes, rows[q]);
            newest += pairs * 4 * V::kBytes;
        }
        for (std::int64_t at = strip; at < strip_end; at += V::kBytes) {
            V::Reg even[4] = {start, start, start, start};
            V::Reg odd[4] = {start, start, start, start};
            for (int m = 0; m < pairs; ++m)
                for (int q = 0; q < 4; ++q) {
                    const V::Reg pair = V::load(memory + slots[m] + q * V::kBytes);
                    even[q] = V::multiply_add(even[q], pair, even_taps[m]);
                    odd[q] = V::multiply_add(odd[q], pair, odd_taps[m]);
                }
            store(to[0], at, round_sums<How>(even, plan.rounding), stream, first_halves[0]);
            store(to[1], at, round_sums<How>(odd, plan.rounding), stream, first_halves[1]);
            memory += pairs * 4 * V::kBytes;
        }
    }
}

}  // namespace
}  // namespace convolab
