// SPDX-License-Identifier: MIT
// The packed kernel for separable filters: binomial ones (packed_binomial.hpp), and all others, by
// the body below. Each tap of the column is three signed digits of 8 bits. So the sum down a column
// is three dot products of bytes, added with the weights 65536, 256 and 1. Along the row the sums
// have up to 24 bits, so there each tap takes one multiply-add.
#include <algorithm>
#include <vector>

#include "common/convolution/separable_taps.hpp"
#include "common/cuda/dispatch.hpp"
#include "common/cuda/packed_arithmetic.hpp"
#include "common/cuda/packed_binomial.hpp"
#include "common/cuda/packed_kernel.hpp"

namespace convolab {
namespace {

constexpr int kDigits = 3;

struct WideTaps {
    unsigned down[kDigits][3];  ///< in ColumnWindow's order
    int along[9];
    int start;  ///< half the divisor
    FastDivision division;
};

template <int channels, int ksize>
class WideBody {
  public:
    static constexpr int kChannels = channels;
    static constexpr int kKsize = ksize;
    static constexpr int kHalo = 0;
    static constexpr int kStages = 4;
    static constexpr int kRowsPerWarp = 20;
    static constexpr int kBlocksPerMultiprocessor = 4;
    using Taps = WideTaps;

    __device__ explicit WideBody(const Taps& taps) : taps_(taps) {}

    __device__ __forceinline__ void feed(const unsigned (&words)[kLaneWords]) {
#pragma unroll
        for (int i = 0; i < kLaneBytes; ++i) {
            unsigned rows[Window::kWords];
            windows_[i].push(words[i / 4], i % 4, rows);
            int sum = 0;
#pragma unroll
            for (int digit = kDigits - 1; digit >= 0; --digit) {
                sum *= 256;
#pragma unroll
                for (int w = 0; w < Window::kWords; ++w)
                    sum = dp4a_signed(rows[w], taps_.down[digit][w], sum);
            }
            line_[kReach + i] = sum;
        }
    }

    __device__ __forceinline__ void emit(unsigned (&out)[kLaneWords]) {
#pragma unroll
        for (int i = 0; i < kReach; ++i) {
            line_[i] = __shfl_up_sync(~0U, line_[kLaneBytes + i], 1);
            line_[kReach + kLaneBytes + i] = __shfl_down_sync(~0U, line_[kReach + i], 1);
        }
#pragma unroll
        for (int w = 0; w < kLaneWords; ++w) {
            int bytes[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                int sum = taps_.start;
#pragma unroll
                for (int k = 0; k < ksize; ++k)
                    sum += taps_.along[k] * line_[4 * w + i + k * channels];
                bytes[i] = taps_.division.byte(sum);
            }
            out[w] = pack_bytes_0(bytes);
        }
    }

  private:
    using Window = ColumnWindow<ksize>;
    static constexpr int kReach = channels * (ksize / 2);  // bytes to the farthest neighbour

    const Taps& taps_;
    Window windows_[kLaneBytes];
    int line_[kReach + kLaneBytes + kReach];  // column sums of this lane and of its neighbours
};

WideTaps wide_taps(const SeparableTaps& taps) {
    WideTaps wide{};
    std::vector<std::int32_t> rest = taps.column;
    for (auto& down : wide.down) {
        put_column(rest, down);
        for (std::int32_t& tap : rest) tap = (tap - static_cast<std::int8_t>(tap & 255)) / 256;
    }
    std::copy(taps.row.begin(), taps.row.end(), wide.along);
    wide.start = taps.divisor / 2;
    wide.division = fast_division(taps.divisor);
    return wide;
}

template <int C, int K>
BandKernel binomial_kernel(const Job& job, const Band& band) {
    constexpr std::int64_t kLargeBytes = 28LL << 20;  // with the output over an L2 cache of 50 MB
    const std::int64_t row_bytes = job.image().width() * C;
    if (K == 5 && (band.high - band.low) * row_bytes > kLargeBytes)
        return packed_kernel<BinomialBody<C, K, true>>(job, band, {});
    return packed_kernel<BinomialBody<C, K, false>>(job, band, {});
}

}  // namespace

BandKernel packed_band_kernel(const Job& job, const Band& band) {
    return with_channels(job, [&]<int C>() {
        return with_ksize<3, 5, 7, 9>(job, [&]<int K>() {
            const SeparableTaps taps = reduced(taps_of(job.filter));
            if constexpr (K <= 5)
                if (is_binomial(taps)) return binomial_kernel<C, K>(job, band);
            return packed_kernel<WideBody<C, K>>(job, band, wide_taps(taps));
        });
    });
}

}  // namespace convolab
