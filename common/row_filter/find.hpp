// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// From a plan to its kernel. (How it is compiled: halves.hpp.)

namespace convolab {
namespace {

template <int Pairs, Round How>
Kernel find_rows([[maybe_unused]] int rows, [[maybe_unused]] bool stream) {
    if constexpr (V::kRegisters < 32)
        return ring_columns<Pairs, How>;
    else if (rows == 2)
        return separable_columns<Pairs, 2, How, false>;
    else
        return stream ? separable_columns<Pairs, kGroup, How, true>
                      : separable_columns<Pairs, kGroup, How, false>;
}

template <Round How>
Kernel find_separable(const Plan& plan, int rows, bool stream) {
    if (plan.row_pairs.size() == plan.even_taps.size()) switch (plan.row_pairs.size()) {
            case 2:
                return find_rows<2, How>(rows, stream);
            case 3:
                return find_rows<3, How>(rows, stream);
            case 4:
                return find_rows<4, How>(rows, stream);
            case 5:
                return ring_columns<5, How>;
            default:
                break;
        }
    return ring_columns<0, How>;
}

template <int K>
Kernel find_binomial(int rows, bool stream) {
    if (rows == 1) return binomial_columns<K, 1, false>;
    if (rows == 4) return binomial_columns<K, 4, false>;
    // With 16 registers 1 4 6 4 1 has none left for halves of lines: ordinary stores are faster.
    if (V::kRegisters < 32 && K == 5) stream = false;
    return stream ? binomial_columns<K, kGroup, true> : binomial_columns<K, kGroup, false>;
}

Kernel find_kernel(const Plan& plan, int rows, bool stream) {
    const bool shift = plan.shift >= 0;
    switch (plan.kind) {
        case Plan::Kind::binomial:
            return plan.ksize == 5 ? find_binomial<5>(rows, stream)
                                   : find_binomial<3>(rows, stream);
        case Plan::Kind::separable:
            return plan.upper ? find_separable<Round::upper>(plan, rows, stream)
                   : shift    ? find_separable<Round::shift>(plan, rows, stream)
                              : find_separable<Round::scale>(plan, rows, stream);
        case Plan::Kind::direct16:
            return direct16_columns;
        case Plan::Kind::direct32:
            return shift ? direct32_columns<Round::shift> : direct32_columns<Round::scale>;
        case Plan::Kind::plain:
            break;
    }
    return nullptr;
}

}  // namespace
}  // namespace convolab
