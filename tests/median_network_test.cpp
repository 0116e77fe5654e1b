// SPDX-License-Identifier: MIT
#include "labs/10_noise_filter/parts/median_network.hpp"

#include <algorithm>
#include <vector>

#include "common/base/isa.hpp"
#include "common/base/random_bits.hpp"
#include "labs/10_noise_filter/median_rows/median_rows.hpp"
#include "tests/catch.hpp"

using namespace convolab;
using namespace convolab::noise_filter;

namespace {

struct Order {
    static int comparisons;
    static int smaller(int a, int b) {
        ++comparisons;
        return std::min(a, b);
    }
    static int larger(int a, int b) { return std::max(a, b); }
};
int Order::comparisons = 0;

int drawn(std::uint64_t i) { return static_cast<int>(random_bits(i * kRandomStep) >> 56); }

/// A list of comparisons that sorts every pattern of zeros and ones sorts everything.
template <int n>
void check_sort(int comparisons) {
    for (int pattern = 0; pattern < 1 << n; ++pattern) {
        int v[n];
        for (int i = 0; i < n; ++i) v[i] = pattern >> i & 1;
        Order::comparisons = 0;
        sort<Order, n>(v);
        if (!std::is_sorted(v, v + n)) FAIL("pattern " << pattern << " of " << n);
    }
    CHECK(Order::comparisons == comparisons);
}

/// As above: all patterns of zeros and ones for n = 9, otherwise random ones with about as many of
/// each.
template <int n>
void check_median() {
    for (int round = 0; round < (n == 9 ? 512 : 3000); ++round) {
        int v[n], ones = 0;
        for (int i = 0; i < n; ++i) {
            v[i] = n == 9 ? round >> i & 1 : drawn(static_cast<std::uint64_t>(round * n + i)) & 1;
            ones += v[i];
        }
        const int median = median_of<Order, n>([&](auto i) { return v[i.value]; });
        if (median != (ones > n / 2)) FAIL("round " << round << " of " << n);
    }
}

template <int K>
void check_columns() {
    CHECK(candidates<K>() % 2 == 1);
    CHECK(5 * candidates<K>() <= 3 * K * K);
    for (int round = 0; round < 3000; ++round) {
        int v[K][K];
        std::vector<int> all;
        for (int c = 0; c < K; ++c) {
            std::vector<int> column;
            for (int r = 0; r < K; ++r) {
                const int value = drawn(static_cast<std::uint64_t>((round * K + c) * K + r));
                column.push_back(round % 3 == 0 ? value & 1 : round % 3 == 1 ? value & 3 : value);
            }
            all.insert(all.end(), column.begin(), column.end());
            std::sort(column.begin(), column.end());
            for (int r = 0; r < K; ++r) v[r][c] = column[static_cast<std::size_t>(r)];
        }
        std::nth_element(all.begin(), all.begin() + K * K / 2, all.end());
        Order::comparisons = 0;
        const int median = median_of_columns<Order, K>([&](int r, int c) { return v[r][c]; });
        if (median != all[K * K / 2]) FAIL("round " << round << " of K " << K);
    }
}

template <int K>
int comparisons_of_any() {
    Order::comparisons = 0;
    median_of<Order, K * K>([](auto i) { return static_cast<int>(i.value); });
    return Order::comparisons;
}

}  // namespace

TEST_CASE("median network: the lists sort, by the zero-one principle, and are as short as known") {
    check_sort<3>(3);
    check_sort<5>(9);
    check_sort<7>(16);
    check_sort<9>(25);
}

TEST_CASE("median network: the median of any n values") {
    check_median<3>();
    check_median<5>();
    check_median<9>();
    check_median<13>();
    check_median<25>();
    check_median<49>();
    check_median<81>();
}

TEST_CASE("median network: the median of sorted columns, with fewer comparisons") {
    check_columns<3>();
    const int of_3 = Order::comparisons;
    check_columns<5>();
    const int of_5 = Order::comparisons;
    check_columns<7>();
    check_columns<9>();
    const int of_9 = Order::comparisons;
    CHECK(of_3 == 12);  // as the lab's texts state; the same for the others
    CHECK(of_5 == 84);
    CHECK(comparisons_of_any<5>() == 132);
    CHECK(of_9 + 25 < comparisons_of_any<9>());
}

TEST_CASE("median rows: every instruction set of this machine, any number of pixels") {
    std::vector<MedianRow (*)(int)> all = {median_row_plain};
#ifdef __x86_64__
    if (choose_isa() >= Isa::avx2) all.push_back(median_row_avx2);
    if (choose_isa() >= Isa::avx512) all.push_back(median_row_avx512);
#endif
    for (const int k : {3, 5, 7, 9})
        for (const int pixels : {1, 2, 3, 5, 21, 22, 43, 64, 65, 200}) {
            std::vector<std::vector<std::uint8_t>> rows(k, std::vector<std::uint8_t>(3 * pixels));
            std::vector<const std::uint8_t*> pointers;
            for (int j = 0; j < k; ++j) {
                for (int i = 0; i < 3 * pixels; ++i)
                    rows[j][i] = static_cast<std::uint8_t>(drawn(1000 * j + i));
                pointers.push_back(rows[j].data());
            }
            std::vector<std::uint8_t> right(3 * pixels);
            for (int i = 0; i < 3 * pixels; ++i) {
                std::vector<std::uint8_t> window;
                for (int j = 0; j < k; ++j)
                    for (int x = i / 3 - k / 2; x <= i / 3 + k / 2; ++x)
                        window.push_back(rows[j][3 * std::clamp(x, 0, pixels - 1) + i % 3]);
                std::nth_element(window.begin(), window.begin() + k * k / 2, window.end());
                right[i] = window[k * k / 2];
            }
            for (std::size_t isa = 0; isa < all.size(); ++isa) {
                INFO("K " << k << ", " << pixels << " pixels, instruction set " << isa);
                std::vector<std::uint8_t> out(3 * pixels + 1, 0xA5),
                    memory(median_memory(k, pixels), 0x5A);
                all[isa](k)(pointers.data(), out.data(), pixels, memory.data());
                CHECK(out.back() == 0xA5);
                out.pop_back();
                CHECK(out == right);
            }
        }
    CHECK(median_row_plain(11) == nullptr);
}
