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

template <bool Stream>
inline void store(std::uint8_t* to, V::Reg bytes) {
    if constexpr (Stream)
        V::stream(to, bytes);
    else
        V::store(to, bytes);
}
inline void store(std::uint8_t* to, V::Reg bytes, bool stream) {
    stream ? V::stream(to, bytes) : V::store(to, bytes);
}

// ---- binomial: 1 2 1 / 4 or 1 4 6 4 1 / 16, both ways
// --------------------------------------------- 1 4 6 4 1 is 1 1 applied four times: down the
// column each new row of sums costs four additions, and what has to be remembered is the row before
// each of them, K - 1 rows of 16 bits. A group of rows is done at once for each block of columns,
// so that they stay in registers between its rows. The taps of 1 2 1 are multiplied by 4 in the row
// and in the column, so that the quotient is the upper byte of a sum here too.
template <int K, int Rows, bool Stream>
void binomial_columns(const Plan& plan, const Columns& job) {
    const std::int64_t c = plan.channels;
    // The constant adds half a divisor in as many equal parts as the column's taps add up to.
    const V::Reg half = V::every_byte(K == 5 ? 8 : 32);
    const V::Reg outer = K == 5 ? V::every_pair(1, 4) : V::every_pair(16, 32);
    const V::Reg mirrored = V::every_pair(4, 1);
    const V::Reg centre = V::every_pair(K == 5 ? 6 : 16, 1);
    const std::int64_t end = job.blocks * V::kBytes;
    const std::int64_t ahead = job.ahead;
    std::uint8_t* memory = job.state;
    for (std::int64_t at = 0; at < end; at += V::kBytes, memory += (K - 1) * 2 * V::kBytes) {
        Halves before[K - 1];
        for (int i = 0; i < K - 1; ++i)
            before[i] = {V::load(memory + 2 * i * V::kBytes),
                         V::load(memory + (2 * i + 1) * V::kBytes)};
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            const std::uint8_t* x = job.from[r] + at;
            V::fetch(x + ahead);
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
            store<Stream>(job.to[r] + at, V::upper_bytes(sum.low, sum.high));
        }
        for (int i = 0; i < K - 1; ++i) {
            V::store(memory + 2 * i * V::kBytes, before[i].low);
            V::store(memory + (2 * i + 1) * V::kBytes, before[i].high);
        }
    }
}

}  // namespace
}  // namespace convolab
