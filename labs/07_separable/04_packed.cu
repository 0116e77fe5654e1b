// SPDX-License-Identifier: MIT
// packed -- two or four multiply-adds per instruction, close to the speed of a copy
// Source: new.
// Idea: the traffic is as small as it can be, one byte read and one written per sample. So the
//     arithmetic must take less time than the memory accesses that it overlaps. A warp marches down
//     a strip of the image, 16 bytes per lane (common/cuda/packed_kernel.hpp). Its arithmetic, for
//     8-bit taps (common/cuda/packed_dots.hpp):
//         down     a word for each byte of the lane holds the samples of the last four rows
//                  (ColumnWindow, common/cuda/packed_arithmetic.hpp). One dp4a multiplies such a
//                  word by four taps. K = 5 and 7 take two, K = 9 takes three. The sums fit in 16
//                  bits, because the |taps| of a column add up to at most 257. If some taps are
//                  negative, a bias keeps the sums from being negative.
//         along    dp2a multiplies two sums, a pixel apart, the halves of one word, by two taps.
//                  Shuffles bring the sums of the neighbouring lanes, two in a word.
//     5x5 takes 3 + 4 instructions per byte, and 1 to round and pack, or 1.5 if the divisor is no
//     power of two (common/cuda/bit_division.hpp); 9x9 takes 5 + 6 + 1. All sums are exact. Two
//     other forms are shared with labs 06 and 11. (1 2 1) and (1 4 6 4 1), the default Gaussians of
//     side 3 and 5, are computed in 16-bit halves, two samples per addition
//     (common/cuda/packed_binomial.hpp). Taps of more than 8 bits are split into three digits
//     (common/cuda/packed_band_kernel.cu).
// Since fused: integers, columns before rows, no barrier, K a template parameter.
// Limit: with the binomial filters (K = 3 and 5) of an RGB picture at 8K, memory bandwidth, as for
//     a copy. With K = 9 arithmetic: eight dot products per sample, which run at half rate.
// Alone: build/labs/07_separable/lab bench --variant fused,packed --ksize 3,5,7,9 --size 4k,8k
#include "common/cuda/dispatch.hpp"
#include "common/cuda/packed_dots.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

template <int C, int K>
static BandKernel kernel_of(const Job& job, const Band& band) {
    const SeparableTaps taps = reduced(taps_of(job.filter));
    if (is_binomial(taps)) return packed_band_kernel(job, band);
    if (const auto shifted = over_65536(taps))
        return packed_kernel<DotBody<C, K, Over65536>>(job, band,
                                                       dot_taps(*shifted, 65536 / 2, {}));
    const auto division = find_bit_division(taps.divisor, largest_sum(taps));
    if (division && fits(taps, -128, 127))
        return packed_kernel<DotBody<C, K, OverAny>>(job, band, dot_taps(taps, 0, *division));
    return packed_band_kernel(job, band);
}

BandKernel packed_kernel_of(const Job& job, const Band& band) {
    return with_channels(job, [&]<int C>() {
        return with_ksize<3, 5, 7, 9>(job, [&]<int K>() { return kernel_of<C, K>(job, band); });
    });
}

const Variant packed = packed_variant(
    "packed", "two or four samples per register, both passes in one kernel", packed_kernel_of);

}  // namespace convolab::separable
