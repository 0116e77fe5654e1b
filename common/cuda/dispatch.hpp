// SPDX-License-Identifier: MIT
// From values that are known when the program runs to template arguments: channels, filter side,
// border rule, index type. So a kernel that the protocol times has no switch over border rules and no
// 64-bit product in its inner loop. labs/03_cuda_global/generality.md shows what they cost.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "common/base/error.hpp"
#include "common/cuda/convolver.hpp"

namespace convolab {

/// use.operator()<channels>() for an image of 1, 3 or 4 channels.
template <class Use>
auto with_channels(const Job& job, const Use& use) {
    switch (job.image().channels()) {
        case 1:
            return use.template operator()<1>();
        case 3:
            return use.template operator()<3>();
        default:
            return use.template operator()<4>();
    }
}

/// use.operator()<K>() for a filter of side K, one of `sides`. Throws Unsupported for another side.
template <int side, int... sides, class Use>
auto with_ksize(const Job& job, const Use& use, const std::string& tried = "") {
    if (job.filter.ksize() == side) return use.template operator()<side>();
    if constexpr (sizeof...(sides) > 0)
        return with_ksize<sides...>(job, use, tried + std::to_string(side) + ", ");
    else
        throw Unsupported("This kernel is compiled for filters of side " + tried +
                          std::to_string(side) + "; " + std::to_string(job.filter.ksize()) +
                          " is not among them.");
}

/// use(view) with the most specialised view: border rules constant, valid, renormalise and
/// replicate with 32-bit indices; otherwise any rule with 64-bit indices, as for an image of 2^31
/// samples or more. Each view is one more kernel to compile, so only images that the protocol times
/// get all of them: those with 3 channels and, if is_timed is set, with 1.
template <int C, bool is_timed = C == 3, class Use>
auto with_view(const Job& job, const Use& use) {
    const Geometry g = geometry_of(job);
    const View<C, AnyBorder, std::int64_t> any{g, {job.border.rule}};
    if constexpr (is_timed) {
        constexpr std::int64_t kMaxSamples = std::numeric_limits<int>::max();
        const auto pixels = std::max(job.image().pixels(), job.out_width() * job.out_height());
        if (pixels * C > kMaxSamples) return use(any);
        switch (job.border.rule) {
            case BorderRule::constant:
            case BorderRule::valid:
            case BorderRule::renormalise:
                return use(View<C, NothingOutside, int>{g, {}});
            case BorderRule::replicate:
                return use(View<C, NearestOutside, int>{g, {}});
            default:
                break;
        }
    }
    return use(any);
}

}  // namespace convolab
