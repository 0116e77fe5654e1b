// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// The filters as kernels use them: a word has two samples, 16 bits apart. Row sums of the Gaussian
// are at most 255 * 256, those of the mean 255 * 9: both samples of a word are summed by one
// instruction. The median sorts both by one instruction.
//
//   of(at)         the filtered word, from at(i, j): the word in column i, row j of the window
//   row(at)        mean and Gaussian: the sum of a row, from at(i)
//   column(at)     and the filtered word, from at(j): the sum of row j
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <utility>

#include "common/base/error.hpp"
#include "common/cuda/dispatch.hpp"
#include "common/cuda/loops.hpp"
#include "labs/10_noise_filter/parts/median_network.hpp"

namespace convolab::noise_filter {

__device__ inline unsigned low(unsigned word) { return word & 0xFFFF; }
__device__ inline unsigned high(unsigned word) { return word >> 16; }

__device__ inline void store_pixel(std::uint8_t* d_out, int pixel, unsigned red_blue,
                                   unsigned green) {
    d_out[3 * pixel] = static_cast<std::uint8_t>(low(red_blue));
    d_out[3 * pixel + 1] = static_cast<std::uint8_t>(green);
    d_out[3 * pixel + 2] = static_cast<std::uint8_t>(high(red_blue));
}

/// Of a window, row by row: at(i, j) is asked for once per use.
template <class Sum, class At>
__device__ inline unsigned column_of_rows(const At& at) {
    return Sum::column([&](int j) { return Sum::row([&](int i) { return at(i, j); }); });
}

template <int K>
struct Mean {
    static constexpr const char* name = "box";

    template <class At>
    static __device__ unsigned row(const At& at) {
        unsigned sum = 0;
        UNROLL for (int i = 0; i < K; ++i) sum += at(i);
        return sum;
    }
    template <class At>
    static __device__ unsigned column(const At& at) {
        constexpr unsigned n = K * K;
        const unsigned sum = row(at);
        return (low(sum) + n / 2) / n | (high(sum) + n / 2) / n << 16;  // n is odd: no ties
    }
    template <class At>
    static __device__ unsigned of(const At& at) {
        return column_of_rows<Mean>(at);
    }
};

template <int K>
struct Gaussian {
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
    static __device__ unsigned row(const At& at) {
        unsigned sum = 0;
        UNROLL for (int i = 0; i < K; ++i) sum += tap(i) * at(i);
        return sum;
    }
    template <class At>
    static __device__ unsigned column(const At& at) {
        unsigned low_sum = 1 << 15, high_sum = 1 << 15;  // 1/2
        UNROLL for (int j = 0; j < K; ++j) {
            const unsigned word = at(j);
            low_sum += tap(j) * low(word);
            high_sum += tap(j) * high(word);
        }
        return high(low_sum) | high(high_sum) << 16;
    }
    template <class At>
    static __device__ unsigned of(const At& at) {
        return column_of_rows<Gaussian>(at);
    }
};

template <int K>
struct Median {
    static constexpr const char* name = "median";

    struct Order {
        static __device__ unsigned smaller(unsigned a, unsigned b) { return __vminu2(a, b); }
        static __device__ unsigned larger(unsigned a, unsigned b) { return __vmaxu2(a, b); }
    };
    template <class At>
    static __device__ unsigned of(const At& at) {
        return median_of<Order, K * K>([&](auto i) { return at(i.value % K, i.value / K); });
    }
};

/// use.operator()<Window, K>() with the job's filter, one of Windows. Throws Unsupported for others.
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
        throw Unsupported("This kernel has the taps of the Gaussian without --sigma.");
}

}  // namespace convolab::noise_filter
