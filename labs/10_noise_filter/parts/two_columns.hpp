// SPDX-License-Identifier: MIT
// The medians of two neighbouring windows, from the two columns of each lane of a warp (see
// 09_median.cu). A word contains two samples, 16 bits apart.
#pragma once

#include "labs/10_noise_filter/parts/windows.hpp"

namespace convolab::noise_filter {

using Order = Median<3>::Order;

/// Batcher's odd-even merge of two sorted lists of n words.
template <int n>
__device__ __forceinline__ void merge(const unsigned (&a)[n], const unsigned (&b)[n],
                                      unsigned (&out)[2 * n]) {
    if constexpr (n == 1) {
        out[0] = Order::smaller(a[0], b[0]);
        out[1] = Order::larger(a[0], b[0]);
    } else {
        constexpr int evens = (n + 1) / 2, odds = n / 2;
        unsigned even_a[evens], even_b[evens], odd_a[odds], odd_b[odds];
#pragma unroll
        for (int i = 0; i < n; ++i) {
            (i % 2 == 0 ? even_a[i / 2] : odd_a[i / 2]) = a[i];
            (i % 2 == 0 ? even_b[i / 2] : odd_b[i / 2]) = b[i];
        }
        unsigned even[2 * evens], odd[2 * odds];
        merge<evens>(even_a, even_b, even);
        merge<odds>(odd_a, odd_b, odd);
        out[0] = even[0];
        if constexpr (n % 2 == 1)
            out[2 * n - 1] = even[2 * evens - 1];
        else
            out[2 * n - 1] = odd[2 * odds - 1];
#pragma unroll
        for (int i = 0; i < n - 1; ++i) {
            out[2 * i + 1] = Order::smaller(odd[i], even[i + 1]);
            out[2 * i + 2] = Order::larger(odd[i], even[i + 1]);
        }
    }
}

/// The six middle values of two sorted lists of ten.
__device__ __forceinline__ void middle_six(const unsigned (&a)[10], const unsigned (&b)[10],
                                           unsigned (&six)[6]) {
    unsigned low[10], high[10], upper[5], lower[5];
#pragma unroll
    for (int i = 0; i < 10; ++i) {
        low[i] = Order::smaller(a[i], b[9 - i]);
        high[i] = Order::larger(a[i], b[9 - i]);
    }
#pragma unroll
    for (int i = 0; i < 5; ++i) {
        upper[i] = Order::larger(low[i], low[i + 5]);
        lower[i] = Order::smaller(high[i], high[i + 5]);
    }
    sort<Order, 5>(upper);
    sort<Order, 5>(lower);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        six[i] = upper[i + 2];
        six[i + 3] = lower[i];
    }
}

/// The median of a window: `shared` are the values that can be it, without those of `column`; both
/// are sorted.
template <int K>
__device__ __forceinline__ unsigned with_column(const unsigned (&shared)[K + 1],
                                                const unsigned (&column)[K]) {
    unsigned least = shared[K];
#pragma unroll
    for (int i = 0; i < K; ++i)
        least = Order::smaller(least, Order::larger(shared[K - 1 - i], column[i]));
    return least;
}

/// at(j, c): sample j, in any order, of column c of this lane. All lanes of the warp call it. K = 3:
/// the windows around both columns; K = 5: around the second and around the next lane's first.
template <int K, class At>
__device__ __forceinline__ void two_medians(const At& at, unsigned (&medians)[2]) {
    unsigned first[K], second[K], left[K], right[K], pair[2 * K], shared[K + 1];
#pragma unroll
    for (int j = 0; j < K; ++j) {
        first[j] = at(j, 0);
        second[j] = at(j, 1);
    }
    sort<Order, K>(first);
    sort<Order, K>(second);
#pragma unroll
    for (int j = 0; j < K; ++j) {
        left[j] = __shfl_up_sync(~0U, second[j], 1);
        right[j] = __shfl_down_sync(~0U, first[j], K / 2);
    }
    merge<K>(first, second, pair);
    if constexpr (K == 3) {
#pragma unroll
        for (int i = 0; i < 4; ++i) shared[i] = pair[i + 1];
    } else {
        unsigned next[2 * K];
#pragma unroll
        for (int i = 0; i < 2 * K; ++i) next[i] = __shfl_down_sync(~0U, pair[i], 1);
        middle_six(pair, next, shared);
    }
    medians[0] = with_column<K>(shared, left);
    medians[1] = with_column<K>(shared, right);
}

}  // namespace convolab::noise_filter
