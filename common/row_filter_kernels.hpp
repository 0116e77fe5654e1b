// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The kernels of RowFilter, once for every instruction set: row_filter_avx2.cpp and
// row_filter_avx512.cpp define V, their vector, and include this file inside the region that is
// compiled for it. Everything here is private to the file that includes it. (No include guard: it
// is no interface. The including file has included what this one needs.)

namespace convolab {
namespace {

/// 2 V of bytes -> 2 V of 16-bit sums of neighbouring taps: low and high halves of each 128-bit
/// lane. V::pack() puts such halves back in order, so that no sample ever has to cross a lane.
struct Halves {
    V::Reg low, high;
};
inline Halves multiply(V::Reg a, V::Reg b, V::Reg taps) {
    return {V::multiply_bytes(V::low_bytes(a, b), taps),
            V::multiply_bytes(V::high_bytes(a, b), taps)};
}
inline Halves operator+(Halves a, Halves b) {
    return {V::add16(a.low, b.low), V::add16(a.high, b.high)};
}

inline void store(std::uint8_t* to, V::Reg bytes, bool stream) {
    if (stream)
        V::stream(to, bytes);
    else
        V::store(to, bytes);
}

/// Brings the line `ahead` bytes further into the cache; there may be no such line.
inline void fetch(const std::uint8_t* from, std::int64_t ahead) { V::fetch(from + ahead); }

// ---- binomial: 1 2 1 / 4 or 1 4 6 4 1 / 16, both ways
// ------------------------------------------------ 1 4 6 4 1 is 1 1 applied four times: down the
// column each new row of sums costs four additions, and what has to be remembered is the row before
// each of them, K - 1 rows of 16 bits. A group of rows is done at once for each block of columns,
// so that they stay in registers between its rows.
template <int K, int Rows>
void binomial_columns(const Plan& plan, const Columns& job) {
    const std::int64_t c = plan.channels;
    // The constant adds half a divisor: 6 * 255 is not it, so it is a byte of its own times 1.
    const V::Reg half = V::every_byte(K == 5 ? 8 : 2);
    const V::Reg outer = V::every_pair(1, K == 5 ? 4 : 2);
    const V::Reg mirrored = V::every_pair(4, 1);
    const V::Reg centre = V::every_pair(K == 5 ? 6 : 1, 1);
    const std::uint8_t* from[Rows];
    std::uint8_t* to[Rows];
    for (int r = 0; r < Rows; ++r) {
        from[r] = job.from[r];
        to[r] = job.to[r];
    }
    const std::int64_t end = job.blocks * V::kBytes;
    auto* memory = job.state;
    const bool stream = job.stream;
    const std::int64_t ahead = job.ahead;
    for (std::int64_t at = 0; at < end; at += V::kBytes, memory += (K - 1) * 2 * V::kBytes) {
        Halves before[K - 1];
        for (int i = 0; i < K - 1; ++i)
            before[i] = {V::load(memory + 2 * i * V::kBytes),
                         V::load(memory + (2 * i + 1) * V::kBytes)};
        for (int r = 0; r < Rows; ++r) {
            const std::uint8_t* x = from[r] + at;
            if (ahead != 0) fetch(x, ahead);
            Halves sum;
            if constexpr (K == 5)
                sum = multiply(V::load(x), V::load(x + c), outer) +
                      multiply(V::load(x + 3 * c), V::load(x + 4 * c), mirrored) +
                      multiply(V::load(x + 2 * c), half, centre);
            else
                sum = multiply(V::load(x), V::load(x + c), outer) +
                      multiply(V::load(x + 2 * c), half, centre);
            for (Halves& last : before) {
                const Halves now = sum;
                sum = now + last;
                last = now;
            }
            constexpr int kShift = K == 5 ? 8 : 4;
            store(to[r] + at, V::pack(V::shift16<kShift>(sum.low), V::shift16<kShift>(sum.high)),
                  stream);
        }
        for (int i = 0; i < K - 1; ++i) {
            V::store(memory + 2 * i * V::kBytes, before[i].low);
            V::store(memory + (2 * i + 1) * V::kBytes, before[i].high);
        }
    }
}

// ---- any outer product whose row sums fit 16 bits
// ------------------------------------------------------
/// Four V of 32-bit sums to one of bytes.
template <bool Shift>
inline V::Reg round_sums(const V::Reg* sums, const Plan& plan) {
    V::Reg q[4];
    for (int i = 0; i < 4; ++i)
        q[i] = Shift ? V::shift32(sums[i], plan.shift) : V::scale32(sums[i], plan.scale, plan.add);
    return V::pack(V::pack32(q[0], q[1]), V::pack32(q[2], q[3]));
}

/// `Count` taps kept in registers; 0: as many as there are, read where they are used.
template <int Count>
class TapRegisters {
  public:
    explicit TapRegisters(const std::int32_t* taps) : taps_(taps) {
        for (int i = 0; i < Count; ++i) kept_[i] = V::every_32(taps[i]);
    }
    V::Reg operator[](int i) const { return Count ? kept_[i] : V::every_32(taps_[i]); }

  private:
    const std::int32_t* taps_;
    V::Reg kept_[Count ? Count : 1];
};

// Two source rows come in, two output rows go out. The sums of the two source rows are interleaved,
// 16 bits of each, and kept so for all the groups that need them: one multiply-add then does two
// column taps, and both output rows use the same pairs of rows, with taps shifted by one. Pairs: of
// taps, in the row and in the column; 0: whatever the plan says.
template <int Pairs, bool Shift>
void separable_columns(const Plan& plan, const Columns& job) {
    const int row_pairs = Pairs ? Pairs : static_cast<int>(plan.row_pairs.size());
    const int pairs = Pairs ? Pairs : static_cast<int>(plan.even_taps.size());
    const TapRegisters<Pairs> row_taps(plan.row_taps.data());
    const TapRegisters<Pairs> even_taps(plan.even_taps.data());
    const TapRegisters<Pairs> odd_taps(plan.odd_taps.data());
    const V::Reg full = V::every_byte(-1);
    const V::Reg start = V::every_32(plan.start);
    const Plan::RowPair* row = plan.row_pairs.data();
    const std::int64_t last_tap = row[row_pairs - 1].first;
    const std::uint8_t* const from[2] = {job.from[0], job.from[1]};
    std::uint8_t* const to[2] = {job.to[0], job.to[1]};
    const bool stream = job.stream;
    const std::int64_t ahead = job.ahead;
    const int oldest = job.oldest;
    const std::int64_t end = job.blocks * V::kBytes;
    std::uint8_t* memory = job.state;
    for (std::int64_t at = 0; at < end; at += V::kBytes, memory += pairs * 4 * V::kBytes) {
        Halves sum[2];
        for (int r = 0; r < 2; ++r) {
            const std::uint8_t* x = from[r] + at;
            if (ahead != 0) fetch(x, ahead);
            sum[r] = multiply(V::load(x + last_tap), full, row_taps[row_pairs - 1]);
            for (int i = 0; i < row_pairs - 1; ++i)
                sum[r] = sum[r] + multiply(V::load(x + row[i].first), V::load(x + row[i].second),
                                           row_taps[i]);
        }
        V::Reg rows[4] = {
            V::low_words(sum[0].low, sum[1].low), V::high_words(sum[0].low, sum[1].low),
            V::low_words(sum[0].high, sum[1].high), V::high_words(sum[0].high, sum[1].high)};
        V::Reg even[4];
        V::Reg odd[4];
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
        store(to[0] + at, round_sums<Shift>(even, plan), stream);
        store(to[1] + at, round_sums<Shift>(odd, plan), stream);
    }
}

}  // namespace
}  // namespace convolab
