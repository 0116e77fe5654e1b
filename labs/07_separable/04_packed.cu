// SPDX-License-Identifier: MIT
// packed -- two or four multiply-adds per instruction, close to the speed of a copy
// Source: new.
// Idea: the traffic is as small as it can be, one byte read and one written per sample. So the
//     arithmetic must take less time than the memory accesses that it overlaps. A warp marches down
//     a strip of the image, 16 bytes per lane (common/cuda/packed_kernel.hpp). Its arithmetic, for
//     8-bit taps:
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
#include "common/cuda/packed_kernel.hpp"
#include "labs/07_separable/parts/dot_taps.hpp"
#include "labs/07_separable/variants.hpp"

namespace convolab::separable {

/// Arithmetic: Over65536 or OverAny (parts/dot_taps.hpp), dp4a and dp2a without or with signs.
template <int channels, int ksize, class Arithmetic>
class DotBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = 0;
    // The fastest on an H200, of 2 to 6 stages, 2 to 64 rows per warp, 4 to 6 blocks.
    static constexpr int kStages = ksize == 9 ? 3 : 4;
    static constexpr int kRowsPerWarp = ksize >= 7 ? 20 : 12;
    static constexpr int kBlocksPerMultiprocessor = ksize == 9 ? 4 : ksize == 3 ? 6 : 5;
    using Taps = DotTaps;

    __device__ explicit DotBody(const Taps& taps) : taps_(taps) {}

    /// The next input row: 16 bytes of this lane. Down the columns, one permutation puts a new
    /// sample into the word of the last four, and one dp4a does four multiply-adds.
    __device__ __forceinline__ void feed(const unsigned (&words)[kLaneWords]) {
#pragma unroll
        for (int i = 0; i < kLaneBytes; ++i) {
            unsigned rows[Window::kWords];
            windows_[i].push(words[i / 4], i % 4, rows);
            int sum = Arithmetic::bias(taps_);
#pragma unroll
            for (int w = 0; w < Window::kWords; ++w)
                sum = Arithmetic::dp4a(rows[w], taps_.down[w], sum);
            line_[kHaloWords + i] = static_cast<unsigned>(sum);
        }
    }

    /// The next output row: along the rows of sums, two multiply-adds per dp2a.
    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
        gather();
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) {
            int sums[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) sums[i] = along_row(4 * w + i);
            out[w] = Arithmetic::finish(sums, taps_);
        }
    }

  private:
    using Window = ColumnWindow<ksize>;
    static constexpr int kRadius = ksize / 2;
    static constexpr int kReach = channels * kRadius;  // bytes to the farthest neighbour
    static constexpr int kHaloWords = (kRadius + 1) / 2 * channels;  // of each neighbour

    /// Where the sum under byte x of the lane is in line_; -kReach <= x < 16 + kReach. Each sum of
    /// this lane takes a word. The sums of a neighbour come in pairs, a pixel apart.
    struct Place {
        int word, half;
    };
    static __device__ constexpr Place place(int x) {
        if (0 <= x && x < kLaneBytes) return {kHaloWords + x, 0};
        const int at = x < 0 ? x + kReach : x - kLaneBytes;  // in the halo
        const int pixel = at / channels;
        const int side = x < 0 ? 0 : kHaloWords + kLaneBytes;
        return {side + pixel / 2 * channels + at % channels, pixel % 2};
    }

    __device__ __forceinline__ void gather() {
#pragma unroll
        for (int i = 0; i < kHaloWords; ++i) {
            const int first = i / channels * 2 * channels + i % channels;  // byte of the halo
            const bool two = first + channels < kReach;
            line_[i] = __shfl_up_sync(~0U, own_pair(kLaneBytes - kReach + first, two), 1);
            line_[kHaloWords + kLaneBytes + i] = __shfl_down_sync(~0U, own_pair(first, two), 1);
        }
    }
    __device__ __forceinline__ unsigned own_pair(int x, bool two) const {
        const unsigned first = line_[kHaloWords + x];
        return two ? __byte_perm(first, line_[kHaloWords + x + (two ? channels : 0)], 0x5410)
                   : first;
    }

    /// The sums under bytes x and x + channels, in one word.
    __device__ __forceinline__ unsigned pair(int x) const {
        const Place a = place(x);
        const Place b = place(x + channels);
        if (a.word == b.word) return line_[a.word];
        return __byte_perm(line_[a.word], line_[b.word],
                           (a.half ? 0x32U : 0x10U) | (b.half ? 0x7600U : 0x5400U));
    }

    __device__ __forceinline__ int along_row(int x) const {
        int sum = taps_.start;
#pragma unroll
        for (int k = 0; k + 1 < ksize; k += 2)
            sum = Arithmetic::dp2a(pair(x - kReach + k * channels), taps_.along[k / 2], sum);
        const Place last = place(x + kReach);
        const unsigned tap = taps_.along[kRadius];
        return Arithmetic::dp2a(line_[last.word], last.half ? tap << 8 : tap, sum);
    }

    const Taps& taps_;
    Window windows_[kLaneBytes];
    unsigned line_[kHaloWords + kLaneBytes + kHaloWords];
};

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
