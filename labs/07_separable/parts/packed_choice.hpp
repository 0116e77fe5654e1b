// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// Which body of the packed kernel a filter gets.
#pragma once

#include "common/cuda/dispatch.hpp"
#include "labs/07_separable/parts/packed_binomial.hpp"
#include "labs/07_separable/parts/packed_dots.hpp"
#include "labs/07_separable/parts/packed_wide.hpp"

namespace convolab::separable {

/// use.operator()<Body>(taps) with the fastest body that the filter and the kernel's input allow.
template <int C, int K, class Use>
auto with_fastest_body(const Job& job, std::int64_t input_bytes, const Use& use) {
    constexpr std::int64_t kLargeBytes = 28LL << 20;  // with the output over an L2 cache of 50 MB
    const SeparableTaps taps = reduced(taps_of(job.filter));
    if constexpr (K <= 5)
        if (is_binomial(taps)) {
            if (K == 5 && input_bytes > kLargeBytes)
                return use.template operator()<BinomialBody<C, K, true>>({});
            return use.template operator()<BinomialBody<C, K, false>>({});
        }
    if (const auto shifted = over_65536(taps))
        return use.template operator()<DotBody<C, K, Over65536>>(dot_taps(*shifted));
    if (fits(taps, -128, 127))
        return use.template operator()<DotBody<C, K, OverAny>>(dot_taps(taps));
    return use.template operator()<WideBody<C, K>>(wide_taps(taps));
}

/// use.operator()<Body>(taps) with the body for the job's channels, K and filter, and for a kernel whose
/// input buffer has so many bytes. Throws Unsupported for other channels and K, and for a filter that is
/// not separable.
template <class Use>
auto with_body(const Job& job, std::int64_t input_bytes, const Use& use) {
    return with_channels(job, [&]<int C>() {
        return with_ksize<3, 5, 7, 9>(
            job, [&]<int K>() { return with_fastest_body<C, K>(job, input_bytes, use); });
    });
}

}  // namespace convolab::separable
