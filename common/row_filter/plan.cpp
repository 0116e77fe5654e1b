// SPDX-License-Identifier: MIT
#include "common/row_filter/plan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace convolab {
namespace {

/// How sums become bytes. False if no kernel does it exactly.
bool plan_rounding(int divisor, Rounding& plan) {
    if (std::has_single_bit(static_cast<unsigned>(divisor))) {
        plan.shift = std::countr_zero(static_cast<unsigned>(divisor));
        plan.start += divisor / 2;
        return true;
    }
    // floor(s / d + 1/2) with the reciprocal of d. The point where the byte changes is moved down
    // by 1/4d, to the middle between two quotients. For quotients below 256 the error is at most
    // 2^-16 from the reciprocal, 2^-17 from the rounding of the multiply-add and 2^-25 from the
    // rounding of `add`. Together that is less than 2^-15, which is 1/4d for d = 8192.
    plan.scale = 1.0F / static_cast<float>(divisor);
    plan.add = static_cast<float>(0.5 + 0.25 / divisor);
    return divisor <= 8192;
}

/// The filter as a column times a row, without common factors; empty if it is not a product.
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

/// The factor for the column that makes the divisor 2^16, so that the upper half of a 32-bit sum is
/// the quotient; 1 if that is not possible.
int scale_to_upper_words(const Plan& plan, Separable& how) {
    if (how.rounding.shift < 0 || how.rounding.shift > 16) return 1;
    const int scale = 1 << (16 - how.rounding.shift);
    const auto magnitude = [](const Taps& taps) {
        return std::int64_t{positive(taps)} - negative(taps);
    };
    if (magnitude(plan.column) * scale > 32767 ||
        256 * magnitude(plan.row) * magnitude(plan.column) * scale > INT32_MAX)
        return 1;
    how.upper = true;
    return scale;
}

bool is_binomial(const Plan& plan) {
    return plan.row == plan.column && ((plan.column == Taps{1, 2, 1} && plan.divisor == 16) ||
                                       (plan.column == Taps{1, 4, 6, 4, 1} && plan.divisor == 256));
}

void plan_product(Isa isa, Plan& plan) {
    const Taps& column = plan.column;
    if (is_binomial(plan)) {
        plan.kind = Binomial{};
        plan.group = kGroup;
        return;
    }
    Separable how;
    int bias = 0;
    if (positive(column) > 32767 || negative(column) < -32767 ||
        !pair_row_taps(plan.row, plan.channels, how, bias) ||
        !plan_rounding(plan.divisor, how.rounding))
        return;
    const int scale = scale_to_upper_words(plan, how);
    const auto tap = [&](int j) { return j < 0 || j >= plan.ksize ? 0 : column[j] * scale; };
    for (int j = 0; j <= plan.ksize; j += 2) {
        how.even_taps.push_back(two_words(tap(j), tap(j + 1)));
        how.odd_taps.push_back(two_words(tap(j - 1), tap(j)));
    }
    how.rounding.start -= bias * (positive(column) + negative(column));
    how.rounding.start *= scale;
    const std::size_t pairs = how.row_pairs.size();
    how.in_registers =
        isa != Isa::avx2 && pairs == how.even_taps.size() && pairs >= 2 && pairs <= 4;
    plan.group = how.in_registers ? kGroup : 2;
    plan.kind = std::move(how);
}

void plan_direct(const Filter& filter, Plan& plan) {
    Taps taps = filter.taps();
    const int shared = common_factor(taps, filter.divisor());
    for (auto& tap : taps) tap /= shared;
    const int divisor = filter.divisor() / shared;
    const auto [least, most] = std::minmax_element(taps.begin(), taps.end());
    Direct how;
    if (*least < -32767 || *most > 32767 || !plan_rounding(divisor, how.rounding)) return;
    how.in_bytes = how.rounding.shift >= 0 && divisor <= 255 && positive(taps) <= 128 &&
                   negative(taps) >= -128 && *most <= 127;
    if (how.in_bytes) how.rounding.start *= 0x10001;
    const auto two = how.in_bytes ? two_bytes : two_words;
    const auto tap = [&](int i, int j) {
        return j < 0 || j >= plan.ksize ? 0 : taps[static_cast<std::size_t>(j) * plan.ksize + i];
    };
    for (int j = 0; j <= plan.ksize; j += 2)
        for (int i = 0; i < plan.ksize; ++i) {
            const auto even = two(tap(i, j), tap(i, j + 1));
            const auto odd = two(tap(i, j - 1), tap(i, j));
            if (even != 0 || odd != 0)
                how.taps.push_back({j, static_cast<std::int64_t>(i) * plan.channels, even, odd});
        }
    plan.group = 2;
    plan.kind = std::move(how);
}

}  // namespace

const Separable& Plan::separable() const { return std::get<Separable>(kind); }
const Direct& Plan::direct() const { return std::get<Direct>(kind); }

Plan make_plan(const Filter& filter, int channels, Isa isa) {
    Plan plan;
    plan.ksize = filter.ksize();
    plan.channels = channels;
    take_apart(filter, plan);
    if (isa == Isa::plain) return plan;
    if (plan.row.empty())
        plan_direct(filter, plan);
    else
        plan_product(isa, plan);
    return plan;
}

Kernel find_kernel(const Kernels& kernels, const Plan& plan, int rows, bool stream) {
    if (plan.is_direct()) return kernels.direct(plan.direct());
    if (const auto* separable = std::get_if<Separable>(&plan.kind))
        return kernels.separable(*separable, rows, stream);
    return kernels.binomial(plan.ksize, rows, stream);
}

std::int64_t state_bytes(const Plan& plan, int width) {
    if (std::holds_alternative<Binomial>(plan.kind))
        return std::int64_t{2} * width * (plan.ksize - 1);
    const auto* separable = std::get_if<Separable>(&plan.kind);
    if (separable == nullptr) return 0;
    return 4LL * width *
           static_cast<std::int64_t>(separable->even_taps.size() -
                                     (separable->in_registers ? 1 : 0));
}

}  // namespace convolab
