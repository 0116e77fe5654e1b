// SPDX-License-Identifier: MIT
// The kernel for 1 2 1 / 4 and 1 4 6 4 1 / 16, both ways. (How it is compiled: halves.hpp.)
//
// 1 4 6 4 1 is 1 1 applied four times. Down the column each new row of sums costs four additions,
// and what has to be kept is the row before each of them: K - 1 rows of 16 bits. A group of rows is
// done at once for each block of columns, so that these rows stay in registers within the group.
// The taps of 1 2 1 are multiplied by 4 along the row and by 4 down the column, so that the
// quotient is the upper byte of a sum here too.

namespace convolab {
namespace {

template <int K, int Rows, bool Stream>
void binomial_columns(const Plan& plan, const Columns& job) {
    const std::int64_t c = plan.channels;
    // The constant adds half the divisor, divided by the sum of the column's taps.
    const V::Reg half = V::every_byte(K == 5 ? 8 : 32);
    const V::Reg outer = K == 5 ? V::every_pair(1, 4) : V::every_pair(16, 32);
    const V::Reg mirrored = V::every_pair(4, 1);
    const V::Reg centre = V::every_pair(K == 5 ? 6 : 16, 1);
    const std::int64_t end = job.blocks * V::kBytes;
    const std::int64_t ahead = job.ahead;
    std::uint8_t* memory = job.state;
    V::Reg first_halves[Rows] = {};
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
            store(job.to[r], at, V::upper_bytes(sum.low, sum.high), Stream, first_halves[r]);
        }
        for (int i = 0; i < K - 1; ++i) {
            V::store(memory + 2 * i * V::kBytes, before[i].low);
            V::store(memory + (2 * i + 1) * V::kBytes, before[i].high);
        }
    }
}

}  // namespace
}  // namespace convolab
