// SPDX-License-Identifier: MIT
// The packed variants of labs 05 and 07, compared with the reference at widths around the ends of a
// warp's strip (480 bytes) and of a block (1,920), and at heights around a band.
#pragma once

#include "tests/catch.hpp"
#include "tests/labs_cuda/defect.hpp"

namespace convolab::defects {

inline const std::vector<Border> kBorders = {{BorderRule::constant, 77}, {BorderRule::replicate},
                                             {BorderRule::reflect},      {BorderRule::reflect101},
                                             {BorderRule::wrap},         {BorderRule::valid},
                                             {BorderRule::renormalise}};

inline void check_packed(const Variant& packed, const Image& image, const Filter& filter,
                         const Border& border) {
    const Job job = job_of(image, filter, 16, border);
    if (border.rule == BorderRule::renormalise && !filter.can_renormalise()) return;
    if (job.out_width() < 1 || job.out_height() < 1) return;
    const Comparison comparison = check_variant(packed, job);
    INFO(filter.name() << ' ' << filter.ksize() << ", " << to_string(border) << ", "
                       << image.width() << 'x' << image.height() << 'x' << image.channels() << ": "
                       << comparison.first);
    CHECK(comparison.identical());
}

inline void check_widths(const Variant& packed, const std::vector<Filter>& filters) {
    for (const int channels : {1, 3, 4}) {
        const int strip = 480 / channels;
        for (const int width : {1, strip - 1, strip, strip + 1, 4 * strip, 4 * strip + 5})
            for (const auto& border : kBorders)
                for (const auto& filter : filters)
                    check_packed(packed, noise(width, 11, channels), filter, border);
    }
}

inline void check_heights(const Variant& packed, const std::vector<Filter>& filters) {
    for (const int height : {1, 2, 5, 6, 7, 23, 24, 25, 61})
        for (const auto& border : kBorders)
            for (const auto& filter : filters)
                check_packed(packed, noise(37, height), filter, border);
}

}  // namespace convolab::defects
