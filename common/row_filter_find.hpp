// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// From a plan to its kernel. Included like row_filter_kernels.hpp, after it and
// row_filter_direct.hpp.

namespace convolab {
namespace {

template <bool Shift>
Kernel find_separable(const Plan& plan) {
    if (plan.row_pairs.size() != plan.even_taps.size()) return separable_columns<0, Shift>;
    switch (plan.row_pairs.size()) {
        case 2:
            return separable_columns<2, Shift>;
        case 3:
            return separable_columns<3, Shift>;
        case 4:
            return separable_columns<4, Shift>;
        case 5:
            return separable_columns<5, Shift>;
        default:
            return separable_columns<0, Shift>;
    }
}

template <int K>
Kernel find_binomial(int rows) {
    return rows == 8   ? binomial_columns<K, 8>
           : rows == 4 ? binomial_columns<K, 4>
                       : binomial_columns<K, 1>;
}

Kernel find_kernel(const Plan& plan, int rows) {
    const bool shift = plan.shift >= 0;
    switch (plan.kind) {
        case Plan::Kind::binomial:
            return plan.ksize == 5 ? find_binomial<5>(rows) : find_binomial<3>(rows);
        case Plan::Kind::separable:
            return shift ? find_separable<true>(plan) : find_separable<false>(plan);
        case Plan::Kind::direct16:
            return direct16_columns;
        case Plan::Kind::direct32:
            return shift ? direct32_columns<true> : direct32_columns<false>;
        case Plan::Kind::plain:
            break;
    }
    return nullptr;
}

}  // namespace
}  // namespace convolab
