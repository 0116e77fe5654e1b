// SPDX-License-Identifier: MIT
// The filters as the kernels use them. A word contains two samples, 16 bits apart. A sum of K
// samples is at most 255 * 256 with the Gaussian's taps, and 255 * 9 without. So it fits in 16
// bits, and one instruction adds to both sums of a word. For the median, two instructions put both
// in order.
//
//   of(at)             returns the filtered word; at(i, j): the word in column i, row j
//
// Or in two steps, the first of which serves K windows:
//   column(at, put)    turns the K words of a column, at(j), into kWords words: put(n, word)
//   combine(at)        returns the filtered word; at(n, i): word n of column i
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <utility>

#include "common/base/error.hpp"
#include "common/cuda/dispatch.hpp"
#include "labs/10_noise_filter/parts/median_network.hpp"

namespace convolab::noise_filter {

__device__ inline unsigned low(unsigned word) { return word & 0xFFFF; }
__device__ inline unsigned high(unsigned word) { return word >> 16; }

/// The pixel of the frame that is nearest to (x, y).
__device__ inline const std::uint8_t* nearest(const std::uint8_t* d_in, int x, int y, int width,
                                              int height) {
    return d_in + 3 * (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1));
}

__device__ inline void store_pixel(std::uint8_t* d_out, int pixel, unsigned red_blue,
                                   unsigned green) {
    d_out[3 * pixel] = static_cast<std::uint8_t>(low(red_blue));
    d_out[3 * pixel + 1] = static_cast<std::uint8_t>(green);
    d_out[3 * pixel + 2] = static_cast<std::uint8_t>(high(red_blue));
}

/// A filter of two passes: Pass::first adds K words; Pass::second adds K such sums and rounds.
template <class Pass>
struct TwoPasses {
    static constexpr int kWords = 1;  ///< of a column: its sum

    template <class At>
    static __device__ unsigned of(const At& at) {
        return Pass::second([&](int j) { return Pass::first([&](int i) { return at(i, j); }); });
    }
    template <class At, class Put>
    static __device__ void column(const At& at, const Put& put) {
        put(0, Pass::first(at));
    }
    template <class At>
    static __device__ unsigned combine(const At& at) {
        return Pass::second([&](int i) { return at(0, i); });
    }
};

template <int K>
struct Mean : TwoPasses<Mean<K>> {
    static constexpr const char* name = "box";

    template <class At>
    static __device__ unsigned first(const At& at) {
        unsigned sum = 0;
#pragma unroll
        for (int i = 0; i < K; ++i) sum += at(i);
        return sum;
    }
    template <class At>
    static __device__ unsigned second(const At& at) {
        const unsigned sum = first(at);
        return divided(low(sum)) | divided(high(sum)) << 16;
    }
    /// Divides by K^2 and rounds; K^2 is odd, so there are no ties. The reciprocal is at most 2^-21
    /// too large, and sums are below 2^21 / K^2, so the error is too small to reach the next
    /// integer.
    static HOST_DEVICE constexpr unsigned divided(unsigned sum) {
        constexpr unsigned n = K * K, reciprocal = (1U << 21) / n + 1;
        static_assert(255 * n + n / 2 < (1U << 21) / n, "the quotient is exact");
        return (sum + n / 2) * reciprocal >> 21;
    }
};

template <int K>
struct Gaussian : TwoPasses<Gaussian<K>> {
    static constexpr const char* name = "gaussian";

    /// The taps of make_filter("gaussian", K), which add up to 256.
    static HOST_DEVICE constexpr unsigned tap(int i) {
        constexpr unsigned taps[4][9] = {{64, 128, 64},
                                         {16, 64, 96, 64, 16},
                                         {8, 28, 56, 72, 56, 28, 8},
                                         {4, 13, 30, 51, 60, 51, 30, 13, 4}};
        return taps[K / 2 - 1][i];
    }
    template <class At>
    static __device__ unsigned first(const At& at) {
        unsigned sum = 0;
#pragma unroll
        for (int i = 0; i < K; ++i) sum += tap(i) * at(i);
        return sum;
    }
    template <class At>
    static __device__ unsigned second(const At& at) {
        unsigned low_sum = 1 << 15, high_sum = 1 << 15;  // 1/2
#pragma unroll
        for (int i = 0; i < K; ++i) {
            const unsigned word = at(i);
            low_sum += tap(i) * low(word);
            high_sum += tap(i) * high(word);
        }
        return high(low_sum) | high(high_sum) << 16;
    }
};

template <int K>
struct Median {
    static constexpr const char* name = "median";
    static constexpr int kWords = K;  ///< of a column: its words in order

    struct Order {
        static __device__ unsigned smaller(unsigned a, unsigned b) { return __vminu2(a, b); }
        static __device__ unsigned larger(unsigned a, unsigned b) { return __vmaxu2(a, b); }
    };
    template <class At>
    static __device__ unsigned of(const At& at) {
        return median_of<Order, K * K>([&](auto i) { return at(i.value % K, i.value / K); });
    }
    template <class At, class Put>
    static __device__ void column(const At& at, const Put& put) {
        unsigned words[K];
#pragma unroll
        for (int j = 0; j < K; ++j) words[j] = at(j);
        sort<Order, K>(words);
#pragma unroll
        for (int n = 0; n < K; ++n) put(n, words[n]);
    }
    template <class At>
    static __device__ unsigned combine(const At& at) {
        return median_of_columns<Order, K>(at);
    }
};

/// Calls use.operator()<Window, K>() with the job's filter, one of Windows. Throws Unsupported for
/// other filters.
template <template <int> class... Windows, class Use>
void with_window(const Job& job, const Use& use) {
    with_ksize<3, 5, 7, 9>(job, [&]<int K>() {
        const bool found = ((job.filter.name() == Windows<K>::name &&
                             (use.template operator()<Windows<K>, K>(), true)) ||
                            ...);
        if (found) return;
        std::string names;
        ((names += (names.empty() ? "" : " and ") + std::string(Windows<K>::name)), ...);
        throw Unsupported("This kernel is compiled for " + names + ", not for " +
                          job.filter.name() + ".");
    });
    if (job.filter.name() != "gaussian") return;
    if (job.filter.taps() != make_filter("gaussian", job.filter.ksize()).taps())
        throw Unsupported("This kernel contains the taps of the Gaussian without --sigma.");
}

}  // namespace convolab::noise_filter
