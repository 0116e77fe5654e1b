// SPDX-License-Identifier: MIT
// The median without a branch. A fixed list of comparisons, each of which puts two values in order,
// does not depend on the values. So it runs on all lanes of a SIMD register or of a warp at once.
//
//   sort<n>             the shortest known lists for n = 3, 5, 7, 9: 3, 9, 16, 25 comparisons
//   median_of<n>        for any n values; it holds (n + 3) / 2 of them. Neither the smallest nor
//                       the largest of these can be the median, so both go, and the next comes
//   median_of_columns   for K x K values whose columns are sorted. When the rows are sorted, too,
//                       the columns stay sorted, and about half of the values can be ruled out
//
//   Order defines what a value is, by smaller(a, b) and larger(a, b). (row_kernel.hpp includes this
//   file in a region with other instructions. So everything here is a template of Order, which is
//   private there.)
#pragma once

#include <utility>

#include "common/base/device_code.hpp"

namespace convolab::noise_filter {

template <class Order, class V>
HOST_DEVICE inline void in_order(V& a, V& b) {
    const V low = Order::smaller(a, b);
    b = Order::larger(a, b);
    a = low;
}

template <int n>
struct Network;
template <>
struct Network<3> {
    using Pairs = std::integer_sequence<int, 0, 2, 0, 1, 1, 2>;
};
template <>
struct Network<5> {
    using Pairs = std::integer_sequence<int, 0, 3, 1, 4, 0, 2, 1, 3, 0, 1, 2, 4, 1, 2, 3, 4, 2, 3>;
};
template <>
struct Network<7> {
    using Pairs = std::integer_sequence<int, 0, 6, 2, 3, 4, 5, 0, 2, 1, 4, 3, 6, 0, 1, 2, 5, 3, 4,
                                        1, 2, 4, 6, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6>;
};
template <>
struct Network<9> {
    using Pairs = std::integer_sequence<int, 0, 3, 1, 7, 2, 5, 4, 8, 0, 7, 2, 4, 3, 8, 5, 6, 0, 2,
                                        1, 3, 4, 5, 7, 8, 1, 4, 3, 6, 5, 7, 0, 1, 2, 4, 3, 5, 6, 8,
                                        2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6>;
};

template <class Order, class V, int a, int b, int... rest>
HOST_DEVICE inline void all_in_order(V* v, std::integer_sequence<int, a, b, rest...>) {
    in_order<Order>(v[a], v[b]);
    if constexpr (sizeof...(rest) > 0)
        all_in_order<Order>(v, std::integer_sequence<int, rest...>());
}

template <class Order, int n, class V>
HOST_DEVICE inline void sort(V* v) {
    all_in_order<Order>(v, typename Network<n>::Pairs());
}

/// Moves the smallest of v[0 .. n - 1] to v[0], and the largest to v[n - 1].
template <class Order, class V, int... i>
HOST_DEVICE inline void extremes(V* v, std::integer_sequence<int, i...>) {
    constexpr int n = sizeof...(i), half = n / 2;
    ((i < half ? in_order<Order>(v[i], v[n - 1 - i]) : void()), ...);
    ((i > 0 && i < n - half ? in_order<Order>(v[0], v[i]) : void()), ...);
    ((i >= half && i < n - 1 ? in_order<Order>(v[i], v[n - 1]) : void()), ...);
}

template <class Order, int held, int next, class V, class Read>
HOST_DEVICE inline void forget(V* v, const Read& read) {
    extremes<Order>(v, std::make_integer_sequence<int, held>());
    if constexpr (held > 3) {
        v[0] = read(std::integral_constant<int, next>());
        forget<Order, held - 1, next + 1>(v, read);
    }
}

template <class V, class Read, int... i>
HOST_DEVICE inline void read_first(V* v, const Read& read, std::integer_sequence<int, i...>) {
    ((v[i] = read(std::integral_constant<int, i>())), ...);
}

/// n is odd, 3 or more. read(i) returns value number i; i is an integral_constant.
template <class Order, int n, class Read>
HOST_DEVICE inline auto median_of(const Read& read) {
    constexpr int held = (n + 3) / 2;
    decltype(read(std::integral_constant<int, 0>())) v[held];
    read_first(v, read, std::make_integer_sequence<int, held>());
    forget<Order, held, held>(v, read);
    return v[1];
}

/// Whether the value in row r, column c can be the median of K x K values with sorted rows and
/// columns. (r + 1)(c + 1) - 1 other values are not larger. If these are more than half of the
/// others, it is not the median. The same holds from the other end.
template <int K>
HOST_DEVICE constexpr bool may_be_median(int r, int c) {
    constexpr int most = (K * K + 1) / 2;
    return (r + 1) * (c + 1) <= most && (K - r) * (K - c) <= most;
}
template <int K>
HOST_DEVICE constexpr int candidates() {
    int n = 0;
    for (int i = 0; i < K * K; ++i) n += may_be_median<K>(i / K, i % K);
    return n;
}
/// The place of candidate number n: row * K + column.
template <int K>
HOST_DEVICE constexpr int candidate(int n) {
    for (int i = 0; i < K * K; ++i)
        if (may_be_median<K>(i / K, i % K) && n-- == 0) return i;
    return -1;
}

/// load(r, c): the r-th value of column c. A row is sorted when its first candidate is read.
template <class Order, int K, class Load>
HOST_DEVICE inline auto median_of_columns(const Load& load) {
    decltype(load(0, 0)) row[K];
    return median_of<Order, candidates<K>()>([&](auto i) {
        constexpr int n = decltype(i)::value, r = candidate<K>(n) / K;
        if constexpr (n == 0 || candidate<K>(n > 0 ? n - 1 : 0) / K != r) {
            for (int c = 0; c < K; ++c) row[c] = load(r, c);
            sort<Order, K>(row);
        }
        return row[candidate<K>(n) % K];
    });
}

}  // namespace convolab::noise_filter
