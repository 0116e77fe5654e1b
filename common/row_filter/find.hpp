// SPDX-License-Identifier: MIT
// The kernels of one instruction set, and from a plan to its kernel. (How they are compiled:
// halves.hpp.)

// clang-format off
#include "common/row_filter/halves.hpp"
#include "common/row_filter/binomial.hpp"
#include "common/row_filter/separable.hpp"
#include "common/row_filter/direct.hpp"
// clang-format on

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
Kernel find_rounded(const Separable& plan, int rows, bool stream) {
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

Kernel find_separable(const Separable& plan, int rows, bool stream) {
    return plan.upper                 ? find_rounded<Round::upper>(plan, rows, stream)
           : plan.rounding.shift >= 0 ? find_rounded<Round::shift>(plan, rows, stream)
                                      : find_rounded<Round::scale>(plan, rows, stream);
}

template <int K>
Kernel find_binomial_of(int rows, bool stream) {
    if (rows == 1) return binomial_columns<K, 1, false>;
    if (rows == 4) return binomial_columns<K, 4, false>;
    // With 16 registers 1 4 6 4 1 has none left for halves of lines: ordinary stores are faster.
    if (V::kRegisters < 32 && K == 5) stream = false;
    return stream ? binomial_columns<K, kGroup, true> : binomial_columns<K, kGroup, false>;
}
Kernel find_binomial(int ksize, int rows, bool stream) {
    return ksize == 5 ? find_binomial_of<5>(rows, stream) : find_binomial_of<3>(rows, stream);
}

Kernel find_direct(const Direct& plan) {
    if (plan.in_bytes) return direct16_columns;
    return plan.rounding.shift >= 0 ? direct32_columns<Round::shift>
                                    : direct32_columns<Round::scale>;
}

}  // namespace
}  // namespace convolab
