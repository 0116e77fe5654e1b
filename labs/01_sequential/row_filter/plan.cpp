// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "labs/01_sequential/row_filter/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace convolab {
namespace {

using Taps = std::vector<std::int32_t>;

/// Two small numbers as the two bytes of a 16-bit word, that word twice.
std::int32_t two_bytes(int first, int second) {
    return static_cast<std::int32_t>(0x10001U * ((first & 0xFFU) | (second & 0xFFU) << 8));
}
std::int32_t two_words(int first, int second) {
    return static_cast<std::int32_t>((first & 0xFFFFU) | (second & 0xFFFFU) << 16);
}

int positive(const Taps& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](int s, int t) { return s + std::max(t, 0); });
}
int negative(const Taps& taps) {
    return std::accumulate(taps.begin(), taps.end(), 0,
                           [](int s, int t) { return s + std::min(t, 0); });
}
int common_factor(const Taps& taps, int start) {
    return std::accumulate(taps.begin(), taps.end(), start,
                           [](int a, int b) { return std::gcd(a, b); });
}
/// Whether 255 a + 255 b and each part of it fit int16, so that a multiply-add of bytes is exact.
bool fit_together(int a, int b) {
    const auto [least, most] =
        std::pair{std::min(a, 0) + std::min(b, 0), std::max(a, 0) + std::max(b, 0)};
    return least >= -128 && most <= 128 && std::max(a, b) <= 127;
}

/// How a sum becomes a byte. False where no kernel does it exactly.
bool plan_rounding(int divisor, Plan& plan) {
    if (std::has_single_bit(static_cast<unsigned>(divisor))) {
        plan.shift = std::countr_zero(static_cast<unsigned>(divisor));
        plan.start += divisor / 2;
        return true;
    }
    // floor(s / d + 1/2) with the reciprocal. The point where the byte changes is moved down by
    // 1/4d, to the middle between two quotients, 1/4d away from either. Of quotients below 256 the
    // error is at most 2^-16 from the reciprocal, 2^-17 from the rounding of the multiply-add and
    // 2^-25 from the rounding of `add`: less than 2^-15, which is 1/4d for d = 8192.
    plan.scale = 1.0F / static_cast<float>(divisor);
    plan.add = static_cast<float>(0.5 + 0.25 / divisor);
    return divisor <= 8192;
}

/// The taps of a row in pairs that fit together, the last one with a constant that moves the sums
/// into int16. False where that cannot be. bias: what is added to each sum.
bool plan_row(const Taps& taps, int channels, Plan& plan, int& bias) {
    const int most = positive(taps);
    const int least = negative(taps);
    const int constant = most > 128 ? 128 - most : least < -128 ? -128 - least : 0;
    if (constant < -128 || constant > 127 || most + constant > 128 || least + constant < -128)
        return false;
    bias = 255 * constant;
    struct Tap {
        int tap, at;
    };
    std::vector<Tap> left;
    for (int i = 0; i < static_cast<int>(taps.size()); ++i) {
        int rest = taps[i];
        for (; std::abs(rest) > 127; rest -= rest > 0 ? 127 : -127)
            left.push_back({rest > 0 ? 127 : -127, i});
        if (rest != 0) left.push_back({rest, i});
    }
    std::stable_sort(left.begin(), left.end(),
                     [](const Tap& a, const Tap& b) { return std::abs(a.tap) > std::abs(b.tap); });
    const auto add = [&](const Tap& first, std::int64_t second, int tap) {
        plan.row_pairs.push_back({static_cast<std::int64_t>(first.at) * channels, second});
        plan.row_taps.push_back(two_bytes(first.tap, tap));
    };
    std::vector<Tap> alone;
    while (!left.empty()) {
        const Tap first = left.front();
        left.erase(left.begin());
        const auto second = std::find_if(
            left.begin(), left.end(), [&](const Tap& t) { return fit_together(first.tap, t.tap); });
        if (second == left.end()) {
            alone.push_back(first);
            continue;
        }
        add(first, second->at * channels, second->tap);
        left.erase(second);
    }
    auto last = std::find_if(alone.begin(), alone.end(),
                             [&](const Tap& t) { return fit_together(t.tap, constant); });
    const Tap with_constant = last == alone.end() ? Tap{0, 0} : *last;
    if (last != alone.end()) alone.erase(last);
    for (const Tap& t : alone) add(t, t.at * channels, 0);
    add(with_constant, -1, constant);
    return true;
}

/// The filter as a column times a row, all common factors divided out; nothing where it is none.
void take_apart(const Filter& filter, Plan& plan) {
    const auto product = filter.outer_product();
    plan.divisor = filter.divisor();
    const int of_row = product ? common_factor(product->row, 0) : 0;
    if (of_row == 0) return;
    plan.row = product->row;
    plan.column = product->column;
    for (auto& tap : plan.row) tap /= of_row;
    for (auto& tap : plan.column) tap *= of_row;
    const int shared = common_factor(plan.column, plan.divisor);
    for (auto& tap : plan.column) tap /= shared;
    plan.divisor /= shared;
    const int row = positive(plan.row);
    if (negative(plan.row) < 0 || negative(plan.column) < 0 || row > 257) return;
    plan.sums = row * positive(plan.column) <= 257 ? Plan::Sums::all16 : Plan::Sums::row16;
}

/// What the column is multiplied by to make the divisor 2^16, which leaves the quotient in the
/// upper half of a 32-bit sum; 1 where that cannot be.
int scale_to_upper_words(Plan& plan) {
    if (plan.shift < 0 || plan.shift > 16) return 1;
    const int scale = 1 << (16 - plan.shift);
    const auto magnitude = [](const Taps& taps) {
        return std::int64_t{positive(taps)} - negative(taps);
    };
    if (magnitude(plan.column) * scale > 32767 ||
        256 * magnitude(plan.row) * magnitude(plan.column) * scale > INT32_MAX)
        return 1;
    plan.upper = true;
    return scale;
}

bool plan_product(Isa isa, Plan& plan) {
    const Taps& column = plan.column;
    if (plan.row == column && ((column == Taps{1, 2, 1} && plan.divisor == 16) ||
                               (column == Taps{1, 4, 6, 4, 1} && plan.divisor == 256))) {
        plan.kind = Plan::Kind::binomial;
        plan.group = kGroup;
        return true;
    }
    int bias = 0;
    if (positive(column) > 32767 || negative(column) < -32767 ||
        !plan_row(plan.row, plan.channels, plan, bias) || !plan_rounding(plan.divisor, plan))
        return false;
    plan.kind = Plan::Kind::separable;
    const int scale = scale_to_upper_words(plan);
    const auto tap = [&](int j) { return j < 0 || j >= plan.ksize ? 0 : column[j] * scale; };
    for (int j = 0; j <= plan.ksize; j += 2) {
        plan.even_taps.push_back(two_words(tap(j), tap(j + 1)));
        plan.odd_taps.push_back(two_words(tap(j - 1), tap(j)));
    }
    plan.start -= bias * (positive(column) + negative(column));
    plan.start *= scale;
    const std::size_t pairs = plan.row_pairs.size();
    plan.in_registers =
        isa != Isa::avx2 && pairs == plan.even_taps.size() && pairs >= 2 && pairs <= 4;
    plan.group = plan.in_registers ? kGroup : 2;
    return true;
}

bool plan_direct(const Filter& filter, Plan& plan) {
    Taps taps = filter.taps();
    const int shared = common_factor(taps, filter.divisor());
    for (auto& tap : taps) tap /= shared;
    const int divisor = filter.divisor() / shared;
    const auto [least, most] = std::minmax_element(taps.begin(), taps.end());
    if (*least < -32767 || *most > 32767 || !plan_rounding(divisor, plan)) return false;
    const bool bytes = plan.shift >= 0 && divisor <= 255 && positive(taps) <= 128 &&
                       negative(taps) >= -128 && *most <= 127;
    plan.kind = bytes ? Plan::Kind::direct16 : Plan::Kind::direct32;
    plan.group = 2;
    if (bytes) plan.start *= 0x10001;
    const auto two = bytes ? two_bytes : two_words;
    const auto tap = [&](int i, int j) {
        return j < 0 || j >= plan.ksize ? 0 : taps[static_cast<std::size_t>(j) * plan.ksize + i];
    };
    for (int j = 0; j <= plan.ksize; j += 2)
        for (int i = 0; i < plan.ksize; ++i) {
            const auto even = two(tap(i, j), tap(i, j + 1));
            const auto odd = two(tap(i, j - 1), tap(i, j));
            if (even != 0 || odd != 0)
                plan.direct.push_back({j, static_cast<std::int64_t>(i) * plan.channels, even, odd});
        }
    return true;
}

}  // namespace

Plan make_plan(const Filter& filter, int channels, Isa isa) {
    Plan none;
    none.ksize = filter.ksize();
    none.channels = channels;
    take_apart(filter, none);
    if (isa == Isa::plain) return none;
    Plan plan = none;
    return (plan.row.empty() ? plan_direct(filter, plan) : plan_product(isa, plan)) ? plan : none;
}

std::int64_t state_bytes(const Plan& plan, int width) {
    switch (plan.kind) {
        case Plan::Kind::binomial:
            return std::int64_t{2} * width * (plan.ksize - 1);
        case Plan::Kind::separable:
            return 4LL * width *
                   static_cast<std::int64_t>(plan.even_taps.size() - (plan.in_registers ? 1 : 0));
        default:
            return 0;
    }
}

}  // namespace convolab
