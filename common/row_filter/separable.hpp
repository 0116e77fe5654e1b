// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernels for outer products whose row sums fit 16 bits. (How they are compiled: halves.hpp.)
//
// Two source rows enter and two output rows leave. The sums of two source rows stay interleaved for
// all the output rows that need them: one multiply-add then does two column taps, and both output
// rows use the same pairs of rows, with taps shifted by one.

namespace convolab {
namespace {

/// How 32-bit sums become bytes: by their upper words, a shift, or a multiplication.
enum class Round { upper, shift, scale };

/// Four vectors of 32-bit sums to one of bytes.
template <Round How>
inline V::Reg round_sums(const V::Reg* sums, const Plan& plan) {
    if constexpr (How == Round::upper) {
        return V::pack(V::upper_words(sums[0], sums[1]), V::upper_words(sums[2], sums[3]));
    } else {
        V::Reg q[4];
        for (int i = 0; i < 4; ++i)
            q[i] = How == Round::shift ? V::shift32(sums[i], plan.shift)
                                       : V::scale32(sums[i], plan.scale, plan.add);
        return V::pack(V::pack32(q[0], q[1]), V::pack32(q[2], q[3]));
    }
}

/// `Count` taps in registers; 0: any number of taps, read from memory where they are used.
template <int Count>
class TapRegisters {
  public:
    explicit TapRegisters(const std::vector<std::int32_t>& taps) : taps_(taps.data()) {
        for (int i = 0; i < Count; ++i) kept_[i] = V::every_32(taps_[i]);
    }
    V::Reg operator[](int i) const { return Count ? kept_[i] : V::every_32(taps_[i]); }

  private:
    const std::int32_t* taps_;
    V::Reg kept_[Count ? Count : 1];
};

/// The sums along two source rows, interleaved: 16 bits of one, 16 bits of the other. Pairs: how
/// many pairs of taps; 0: as many as the plan has.
template <int Pairs, class Taps>
inline void add_rows(const Plan& plan, const Taps& taps, const std::uint8_t* const* from,
                     std::int64_t at, std::int64_t ahead, V::Reg* interleaved) {
    const int last = (Pairs ? Pairs : static_cast<int>(plan.row_pairs.size())) - 1;
    const Plan::RowPair* pair = plan.row_pairs.data();
    const V::Reg full = V::every_byte(-1);
    Halves sum[2];
#pragma GCC unroll 2
    for (int r = 0; r < 2; ++r) {
        const std::uint8_t* x = from[r] + at;
        V::fetch(x + ahead);
        sum[r] = multiply(V::load(x + pair[last].first), full, taps[last]);
#pragma GCC unroll 4
        for (int i = 0; i < last; ++i)
            sum[r] =
                sum[r] + multiply(V::load(x + pair[i].first), V::load(x + pair[i].second), taps[i]);
    }
    interleaved[0] = V::low_words(sum[0].low, sum[1].low);
    interleaved[1] = V::high_words(sum[0].low, sum[1].low);
    interleaved[2] = V::low_words(sum[0].high, sum[1].high);
    interleaved[3] = V::high_words(sum[0].high, sum[1].high);
}

/// With 32 registers: `Rows` rows in a group, and the last Pairs - 1 pairs of rows, a block's
/// state, stay in registers between them.
template <int Pairs, int Rows, Round How, bool Stream>
void separable_columns(const Plan& plan, const Columns& job) {
    constexpr int kTaps = Pairs <= 3 ? Pairs : 0;  // longer filters need the registers for rows
    const TapRegisters<kTaps> row_taps(plan.row_taps);
    const TapRegisters<kTaps> taps[2] = {TapRegisters<kTaps>(plan.even_taps),
                                         TapRegisters<kTaps>(plan.odd_taps)};
    const V::Reg start = V::every_32(plan.start);
    const std::int64_t end = job.blocks * V::kBytes;
    const std::int64_t ahead = job.ahead;
    std::uint8_t* memory = job.state;
    constexpr int kKept = Pairs - 1;
    for (std::int64_t at = 0; at < end; at += V::kBytes, memory += kKept * 4 * V::kBytes) {
        V::Reg rows[kKept + Rows / 2][4];
#pragma GCC unroll 16
        for (int i = 0; i < kKept * 4; ++i) rows[i / 4][i % 4] = V::load(memory + i * V::kBytes);
#pragma GCC unroll 4
        for (int n = 0; n < Rows / 2; ++n) {
            add_rows<Pairs>(plan, row_taps, job.from + 2 * n, at, ahead, rows[kKept + n]);
#pragma GCC unroll 2
            for (int r = 0; r < 2; ++r) {
                V::Reg sums[4] = {start, start, start, start};
#pragma GCC unroll 5
                for (int m = 0; m < Pairs; ++m) {
#pragma GCC unroll 4
                    for (int q = 0; q < 4; ++q)
                        sums[q] = V::multiply_add(sums[q], rows[n + m][q], taps[r][m]);
                }
                store<Stream>(job.to[2 * n + r] + at, round_sums<How>(sums, plan));
            }
        }
#pragma GCC unroll 16
        for (int i = 0; i < kKept * 4; ++i)
            V::store(memory + i * V::kBytes, rows[Rows / 2 + i / 4][i % 4]);
    }
}

/// With fewer registers, and for long filters: two rows at a time, and the pairs of rows in a ring
/// buffer in memory. Pairs: of taps, in the row and in the column; 0: as many as the plan has.
template <int Pairs, Round How>
void ring_columns(const Plan& plan, const Columns& job) {
    const int pairs = Pairs ? Pairs : static_cast<int>(plan.even_taps.size());
    const TapRegisters<Pairs> row_taps(plan.row_taps);
    const TapRegisters<Pairs> even_taps(plan.even_taps);
    const TapRegisters<Pairs> odd_taps(plan.odd_taps);
    const V::Reg start = V::every_32(plan.start);
    const std::uint8_t* const from[2] = {job.from[0], job.from[1]};
    std::uint8_t* const to[2] = {job.to[0], job.to[1]};
    const std::int64_t ahead = job.ahead;
    const int oldest = job.oldest;
    const bool stream = job.stream;
    const std::int64_t end = job.blocks * V::kBytes;
    std::uint8_t* memory = job.state;
    for (std::int64_t at = 0; at < end; at += V::kBytes, memory += pairs * 4 * V::kBytes) {
        V::Reg rows[4];
        V::Reg even[4];
        V::Reg odd[4];
        add_rows<Pairs>(plan, row_taps, from, at, ahead, rows);
        std::uint8_t* slot = memory + (oldest == 0 ? pairs - 1 : oldest - 1) * 4 * V::kBytes;
        for (int q = 0; q < 4; ++q) {
            V::store(slot + q * V::kBytes, rows[q]);
            even[q] = V::multiply_add(start, rows[q], even_taps[pairs - 1]);
            odd[q] = V::multiply_add(start, rows[q], odd_taps[pairs - 1]);
        }
        for (int m = pairs - 2; m >= 0; --m) {
            slot = slot == memory ? memory + (pairs - 1) * 4 * V::kBytes : slot - 4 * V::kBytes;
            for (int q = 0; q < 4; ++q) {
                const V::Reg pair = V::load(slot + q * V::kBytes);
                even[q] = V::multiply_add(even[q], pair, even_taps[m]);
                odd[q] = V::multiply_add(odd[q], pair, odd_taps[m]);
            }
        }
        store(to[0] + at, round_sums<How>(even, plan), stream);
        store(to[1] + at, round_sums<How>(odd, plan), stream);
    }
}

}  // namespace
}  // namespace convolab
