// SPDX-License-Identifier: MIT
// The kernels for filters that are not an outer product. (How they are compiled: halves.hpp.)
//
// Samples one below the other are interleaved: one multiply-add does two taps, and the same pair
// serves both output rows of the group. Taps that are zero in both rows are not in the plan.

namespace convolab {
namespace {

/// 16-bit sums.
inline void direct16_columns(const Plan& whole, const Columns& job) {
    const Direct& plan = whole.direct();
    const V::Reg start = V::every_32(plan.rounding.start);
    V::Reg first_halves[2] = {};
    for (std::int64_t b = 0; b < job.blocks; ++b) {
        Halves even = {start, start};
        Halves odd = even;
        for (const Direct::Tap& tap : plan.taps) {
            const std::int64_t at = b * V::kBytes + tap.offset;
            const V::Reg upper = V::load(job.from[tap.row] + at);
            const V::Reg lower = V::load(job.from[tap.row + 1] + at);
            even = even + multiply(upper, lower, V::every_32(tap.even));
            odd = odd + multiply(upper, lower, V::every_32(tap.odd));
        }
        const auto round = [&](Halves sums) {
            return V::pack(V::shift16_signed(sums.low, plan.rounding.shift),
                           V::shift16_signed(sums.high, plan.rounding.shift));
        };
        store(job.to[0], b * V::kBytes, round(even), job.stream, first_halves[0]);
        store(job.to[1], b * V::kBytes, round(odd), job.stream, first_halves[1]);
    }
}

/// 16-bit taps and 32-bit sums.
template <Round How>
void direct32_columns(const Plan& whole, const Columns& job) {
    const Direct& plan = whole.direct();
    const V::Reg start = V::every_32(plan.rounding.start);
    const V::Reg zero = V::every_byte(0);
    V::Reg first_halves[2] = {};
    for (std::int64_t b = 0; b < job.blocks; ++b) {
        V::Reg even[4] = {start, start, start, start};
        V::Reg odd[4] = {start, start, start, start};
        for (const Direct::Tap& tap : plan.taps) {
            const std::int64_t at = b * V::kBytes + tap.offset;
            const V::Reg upper = V::load(job.from[tap.row] + at);
            const V::Reg lower = V::load(job.from[tap.row + 1] + at);
            const V::Reg low = V::low_bytes(upper, lower);
            const V::Reg high = V::high_bytes(upper, lower);
            // Bytes u l u l widened by a zero each are the words u, l of a multiply-add.
            const V::Reg pairs[4] = {V::low_bytes(low, zero), V::high_bytes(low, zero),
                                     V::low_bytes(high, zero), V::high_bytes(high, zero)};
            const V::Reg even_taps = V::every_32(tap.even);
            const V::Reg odd_taps = V::every_32(tap.odd);
            for (int q = 0; q < 4; ++q) {
                even[q] = V::multiply_add(even[q], pairs[q], even_taps);
                odd[q] = V::multiply_add(odd[q], pairs[q], odd_taps);
            }
        }
        store(job.to[0], b * V::kBytes, round_sums<How>(even, plan.rounding), job.stream,
              first_halves[0]);
        store(job.to[1], b * V::kBytes, round_sums<How>(odd, plan.rounding), job.stream,
              first_halves[1]);
    }
}

}  // namespace
}  // namespace convolab
