// SPDX-License-Identifier: MIT
// The kernels for outer products whose row sums fit 16 bits: their parts, the one that keeps its
// rows in registers, and the one that keeps them in memory. (How they are compiled: halves.hpp.)
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
inline V::Reg round_sums(const V::Reg* sums, const Rounding& plan) {
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

/// A row's pairs of taps in registers and local variables: what is in the plan would be read again
/// after each store. `Pairs` pairs; 0: as many as the plan has.
template <int Pairs, int Registers = Pairs>
struct RowPairs {
    explicit RowPairs(const Separable& plan)
        : taps(plan.row_taps), count(Pairs ? Pairs : static_cast<int>(plan.row_pairs.size())) {
        for (int i = 0; i < count; ++i) samples[i] = plan.row_pairs.data()[i];
    }
    V::Reg full = V::kept(V::every_byte(-1));
    TapRegisters<Registers> taps;
    Separable::RowPair samples[Pairs ? Pairs : 256];
    int count;
};

/// The sums along two source rows, interleaved: 16 bits of one, 16 bits of the other.
template <int Pairs, int Registers>
inline void add_rows(const RowPairs<Pairs, Registers>& pairs, const std::uint8_t* const* from,
                     std::int64_t at, std::int64_t ahead, V::Reg* interleaved) {
    const int last = pairs.count - 1;
    const auto& samples = pairs.samples;
    Halves sum[2];
#pragma GCC unroll 2
    for (int r = 0; r < 2; ++r) {
        const std::uint8_t* x = from[r] + at;
        V::fetch(x + ahead);
        sum[r] = multiply(V::load(x + samples[last].first), pairs.full, pairs.taps[last]);
#pragma GCC unroll 4
        for (int i = 0; i < last; ++i)
            sum[r] = kept(sum[r] + multiply(V::load(x + samples[i].first),
                                            V::load(x + samples[i].second), pairs.taps[i]));
    }
    interleaved[0] = V::low_words(sum[0].low, sum[1].low);
    interleaved[1] = V::high_words(sum[0].low, sum[1].low);
    interleaved[2] = V::low_words(sum[0].high, sum[1].high);
    interleaved[3] = V::high_words(sum[0].high, sum[1].high);
}

/// With 32 registers: `Rows` rows in a group, and the last Pairs - 1 pairs of rows, a block's
/// state, stay in registers between them.
template <int Pairs, int Rows, Round How, bool Stream>
void separable_columns(const Plan& whole, const Columns& job) {
    const Separable& plan = whole.separable();
    constexpr int kTaps = Pairs <= 3 ? Pairs : 0;  // longer filters need the registers for rows
    const RowPairs<Pairs, kTaps> row_pairs(plan);
    const TapRegisters<kTaps> taps[2] = {TapRegisters<kTaps>(plan.even_taps),
                                         TapRegisters<kTaps>(plan.odd_taps)};
    const V::Reg start = V::every_32(plan.rounding.start);
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
            add_rows(row_pairs, job.from + 2 * n, at, ahead, rows[kKept + n]);
#pragma GCC unroll 2
            for (int r = 0; r < 2; ++r) {
                V::Reg sums[4] = {start, start, start, start};
#pragma GCC unroll 5
                for (int m = 0; m < Pairs; ++m) {
#pragma GCC unroll 4
                    for (int q = 0; q < 4; ++q)
                        sums[q] = V::multiply_add(sums[q], rows[n + m][q], taps[r][m]);
                }
                store(job.to[2 * n + r], at, round_sums<How>(sums, plan.rounding), Stream, sums[0]);
            }
        }
#pragma GCC unroll 16
        for (int i = 0; i < kKept * 4; ++i)
            V::store(memory + i * V::kBytes, rows[Rows / 2 + i / 4][i % 4]);
    }
}

/// The same with fewer registers, and for long filters. Two rows at a time; the pairs of rows are in
/// a ring buffer in memory. A strip of blocks first gets its new pair, then its output, so that each
/// loop needs registers for its own taps only.
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
